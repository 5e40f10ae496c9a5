use expect_test::expect;
use serde_json::{Value, json};

use crate::examples;

fn schema() -> jsonschema::Validator {
    let text = include_str!("../../../../docs/report.schema.json");
    let schema: Value = serde_json::from_str(text).unwrap();
    jsonschema::draft202012::meta::validate(&schema).unwrap();
    jsonschema::draft202012::new(&schema).unwrap()
}

fn rendered(report: &crate::Report) -> Value {
    serde_json::from_str(&super::render(report, "0.1.0")).unwrap()
}

#[test]
fn every_example_fits_the_schema() {
    let schema = schema();
    for report in examples::all() {
        let document = rendered(&report);
        let errors: Vec<String> = schema.iter_errors(&document).map(|it| it.to_string()).collect();
        assert_eq!(errors, Vec::<String>::new(), "{document:#}");
    }
}

#[test]
fn a_broken_document_does_not_fit() {
    let schema = schema();
    let good = rendered(&examples::diagnosed::torn_writes());
    let broken: [fn(&mut Value); 9] = [
        |it| it["schema_version"] = json!(2),
        |it| it["verdict"] = json!("maybe"),
        |it| it["extra"] = json!(1),
        |it| it["findings"][0]["schedule"][0]["line"] = json!(0),
        |it| it["findings"][0]["schedule"][0]["thread"] = json!("T1"),
        |it| drop(it["findings"][0].as_object_mut().unwrap().remove("output")),
        |it| it["findings"][0]["complete"] = json!("yes"),
        |it| it["findings"][0]["causes"][0]["cores"][0] = json!(-1),
        |it| it["findings"][0]["cores"][0]["orders"][0]["after"]["step"] = json!(0),
    ];
    assert!(schema.is_valid(&good));
    for break_it in broken {
        let mut bad = good.clone();
        break_it(&mut bad);
        assert_ne!(bad, good);
        assert!(!schema.is_valid(&bad), "{bad:#}");
    }
}

#[test]
fn every_property_of_the_schema_is_described() {
    fn check(schema: &Value, path: &str) {
        let is_condition = path.contains("/if") || path.contains("/then");
        match schema {
            Value::Object(map) => {
                for (key, value) in map {
                    let path = format!("{path}/{key}");
                    match value.as_object().filter(|_| key == "properties") {
                        Some(properties) => properties.iter().for_each(|(name, property)| {
                            let is_described = property.get("description").is_some();
                            assert!(is_described || is_condition, "{path}/{name}");
                            check(property, &format!("{path}/{name}"));
                        }),
                        None => check(value, &path),
                    }
                }
            }
            Value::Array(list) => list.iter().for_each(|it| check(it, path)),
            _ => {}
        }
    }
    let text = include_str!("../../../../docs/report.schema.json");
    check(&serde_json::from_str(text).unwrap(), "");
}

#[test]
fn keys_come_in_a_fixed_order() {
    let mut report = examples::inconclusive();
    report.stats.push(("time_ms", 7));
    expect![[r#"
        {
          "schema_version": 1,
          "tool": {
            "name": "unravel",
            "version": "0.1.0"
          },
          "command": "check",
          "verdict": "inconclusive",
          "reasons": [
            {
              "kind": "bound",
              "message": "the loop was unrolled 4 times; it may go on",
              "file": "ring.c",
              "line": 4,
              "column": 5,
              "help": "try `--unwind 8`, or leave the bound out"
            }
          ],
          "bounds": {
            "unwind": 4,
            "calls_assumed_to_succeed": false,
            "memory_model": "sc",
            "cut_loops": [
              {
                "file": "ring.c",
                "line": 4,
                "column": 5,
                "function": "consumer",
                "what": "the loop was unrolled 4 times; it may go on"
              }
            ]
          },
          "unsupported": [
            {
              "file": "ring.c",
              "line": 5,
              "what": "call of `work`, which no given file defines,"
            }
          ],
          "notes": [],
          "threads": [
            {
              "id": 0,
              "name": "main",
              "created_at": null
            },
            {
              "id": 1,
              "name": "consumer",
              "created_at": null
            }
          ],
          "properties": [
            "reach",
            "memory",
            "deadlock",
            "misuse"
          ],
          "findings": [],
          "stats": {
            "time_ms": 31,
            "states": 124,
            "steps": 310
          }
        }
    "#]]
    .assert_eq(&super::render(&report, "0.1.0"));
}

#[test]
fn a_finding_has_its_run() {
    let mut report = examples::race_of_two_lines();
    report.findings[0].schedule.truncate(1);
    let text = super::render(&report, "0.1.0");
    let from = text.find("\"findings\"").unwrap();
    expect![[r#"
        "findings": [
            {
              "id": 1,
              "property": "race",
              "kind": "data-race",
              "message": "data race on `x`: this write is not ordered with the other access",
              "file": "race.c",
              "line": 13,
              "column": 7,
              "function": "f",
              "thread": 2,
              "pattern": null,
              "sequential": null,
              "inputs": [],
              "related": [
                {
                  "file": "race.c",
                  "line": 7,
                  "column": 7,
                  "function": "f",
                  "what": "the other access, by T1"
                }
              ],
              "threads": [
                {
                  "id": 0,
                  "name": "main",
                  "created_at": null
                },
                {
                  "id": 1,
                  "name": "writer0",
                  "created_at": {
                    "file": "race.c",
                    "line": 20,
                    "column": 5,
                    "function": "main"
                  }
                },
                {
                  "id": 2,
                  "name": "writer1",
                  "created_at": {
                    "file": "race.c",
                    "line": 21,
                    "column": 5,
                    "function": "main"
                  }
                }
              ],
              "schedule": [
                {
                  "step": 1,
                  "thread": 0,
                  "file": "race.c",
                  "line": 20,
                  "column": 5,
                  "kind": "create",
                  "variable": null,
                  "value": null,
                  "text": "creates T1"
                }
              ],
              "context_switches": 2,
              "fewest_switches": true,
              "output": "",
              "complete": null,
              "remarks": [],
              "at_fault": null,
              "causes": [],
              "cores": [],
              "faults": [],
              "repairs": []
            }
          ],
          "stats": {
            "time_ms": 31,
            "states": 124,
            "steps": 310
          }
        }
    "#]]
    .assert_eq(&text[from..]);
}

#[test]
fn a_diagnosis_has_causes_and_cores() {
    let document = rendered(&examples::diagnosed::torn_writes());
    let finding = &document["findings"][0];
    assert_eq!(finding["pattern"], "atomicity violation");
    assert_eq!(finding["sequential"], false);
    assert_eq!(finding["complete"], true);
    assert_eq!(finding["causes"][0]["cores"], json!([0, 1]));
    let order = &finding["cores"][0]["orders"][1];
    assert_eq!(order["id"], "B");
    let before = json!({
        "thread": 2, "file": "race.c", "line": 14, "column": 7, "function": "f", "variable": "y",
        "kind": "write", "value": "1", "turn": null, "step": 5, "text": "y = 1",
    });
    assert_eq!(order["before"], before);
    assert_eq!(order["so"], "so y becomes 0");
    let run = order["passing_schedule"].as_array().unwrap();
    assert_eq!(run.len(), 12);
    assert_eq!(run[3]["text"], "y = 0");
    assert_eq!(finding["cores"][1]["orders"][0]["before"]["step"], Value::Null);
}

#[test]
fn a_diagnosis_may_lack_causes() {
    let document = rendered(&examples::diagnosed::sequential());
    let finding = &document["findings"][0];
    assert_eq!(finding["sequential"], true);
    assert_eq!(finding["causes"], json!([]));
    assert_eq!(finding["remarks"].as_array().unwrap().len(), 1);
    let turns = rendered(&examples::diagnosed::in_loops());
    let order = &turns["findings"][0]["cores"][0]["orders"][1];
    assert_eq!([&order["before"]["turn"], &order["after"]["turn"]], [2, 1]);
    let needed = rendered(&examples::diagnosed::with_inputs());
    assert_eq!(needed["findings"][0]["cores"][0]["inputs"][0]["value"], "3");
}

#[test]
fn repairs_have_their_edits_and_covers_their_rows() {
    let document = rendered(&examples::repaired::two());
    let repairs = document["findings"][0]["repairs"].as_array().unwrap();
    assert_eq!((repairs.len(), &repairs[0]["verified"]), (2, &json!("complete")));
    let text = examples::RACE_C;
    let edit = &repairs[0]["edits"][1];
    let start = text.find("    x = 0;").unwrap();
    let expected = json!({
        "file": "race.c",
        "start": start,
        "end": start,
        "text": "    pthread_mutex_lock(&xy_lock);\n",
    });
    assert_eq!(*edit, expected);
    assert_eq!(document["repairs_refused"][0]["kind"], "atomic");
    assert_eq!(document.get("covers"), None);
    let bounded = rendered(&examples::repaired::bounded());
    assert_eq!(bounded["findings"][0]["repairs"][0]["verified"], "bounded");
    let covers = rendered(&examples::repaired::covers(false));
    assert_eq!(
        covers["covers"]["rows"][0],
        json!({
            "chosen": ["line 13 before line 7", "line 7 before line 13"],
            "valid": false,
            "simplified": null,
        })
    );
    assert_eq!(rendered(&examples::xy()).get("repairs_refused"), None);
}
