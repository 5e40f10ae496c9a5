use serde_json::{Value, json};

use super::location::uri;
use crate::Report;
use crate::examples;

fn rendered(report: &Report) -> Value {
    serde_json::from_str(&super::render(report, "0.1.0")).unwrap()
}

fn texts(flow: &Value) -> Vec<&str> {
    let locations = flow["locations"].as_array().unwrap();
    locations.iter().map(|it| it["location"]["message"]["text"].as_str().unwrap()).collect()
}

#[test]
fn the_first_flow_is_the_whole_run_and_the_second_has_one_per_thread() {
    let log = rendered(&examples::xy());
    let flows = &log["runs"][0]["results"][0]["codeFlows"];
    let merged = texts(&flows[0]["threadFlows"][0]);
    assert_eq!(merged.len(), 13);
    assert_eq!(merged[2..5], ["T1 writer0: x = 0", "T2 writer1: x = 1", "T2 writer1: y = 1"]);
    assert_eq!(merged[12], "T0 main: assertion `x == y` can fail");
    let threads = flows[1]["threadFlows"].as_array().unwrap();
    assert_eq!(threads.len(), 3);
    assert_eq!(texts(&threads[1]), ["T1 writer0: x = 0", "T1 writer0: y = 0", "T1 writer0: ends"]);
    let orders: Vec<&Value> = threads[1]["locations"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["executionOrder"])
        .collect();
    assert_eq!(orders, [3, 7, 8]);
}

#[test]
fn a_step_carries_place_values_and_thread() {
    let log = rendered(&examples::xy());
    let step = &log["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"][0]["locations"][3];
    let expected = json!({
        "executionOrder": 4,
        "importance": "important",
        "kinds": ["memory"],
        "state": { "x": { "text": "1" } },
        "location": {
            "physicalLocation": {
                "artifactLocation": { "uri": "race.c" },
                "region": { "startLine": 13, "startColumn": 7, "endLine": 13, "endColumn": 8 },
            },
            "logicalLocations": [{ "name": "f", "kind": "function" }],
            "message": { "text": "T2 writer1: x = 1" },
        },
        "properties": { "threadId": "T2" },
    });
    assert_eq!(*step, expected);
}

#[test]
fn a_result_names_its_rule_and_links_related_places() {
    let log = rendered(&examples::race_of_two_lines());
    let run = &log["runs"][0];
    let result = &run["results"][0];
    assert_eq!(result["ruleId"], "data-race");
    assert_eq!(run["tool"]["driver"]["rules"][0]["id"], "data-race");
    for key in ["shortDescription", "fullDescription", "help"] {
        assert!(run["tool"]["driver"]["rules"][0][key]["text"].is_string(), "{key}");
    }
    let text = result["message"]["text"].as_str().unwrap();
    assert!(text.ends_with("; [the other access, by T1](1)"), "{text}");
    assert_eq!(result["relatedLocations"][0]["id"], 1);
    assert_eq!(result["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 7);
    assert_eq!(result["locations"][0]["physicalLocation"]["region"]["startLine"], 13);
}

#[test]
fn an_answer_without_violation_has_no_results() {
    let log = rendered(&examples::inconclusive());
    let run = &log["runs"][0];
    assert_eq!(run["results"], json!([]));
    let invocation = &run["invocations"][0];
    assert_eq!(invocation["exitCode"], 3);
    let notes = invocation["toolExecutionNotifications"].as_array().unwrap();
    let levels: Vec<&Value> = notes.iter().map(|it| &it["level"]).collect();
    assert_eq!(levels, ["warning", "note"]);
    let safe = rendered(&examples::safe());
    let invocation = &safe["runs"][0]["invocations"][0];
    assert_eq!(invocation["exitCode"], 0);
    assert_eq!(invocation["toolExecutionNotifications"], json!([]));
}

#[test]
fn columns_count_utf16_code_units() {
    let text = "int s = /* \u{1f600} */ x;\n";
    let mut report = examples::xy_with(Some(text));
    let column = text.find('x').unwrap() as u32 + 1;
    let file = report.findings[0].place.as_ref().unwrap().span.file;
    report.findings[0].place = examples::place(file, 1, column, "main");
    let log = rendered(&report);
    let region = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
    assert_eq!(region["startColumn"], 18);
    assert_eq!(region["endColumn"], 19);
}

#[test]
fn fingerprints_stay_when_lines_move() {
    let moved = format!("\n\n{}", examples::RACE_C);
    let mut report = examples::xy_with(Some(&moved));
    report.findings[0].place.as_mut().unwrap().span.line += 2;
    let of = |log: Value| log["runs"][0]["results"][0]["partialFingerprints"].clone();
    assert_eq!(of(rendered(&report)), of(rendered(&examples::xy())));
    assert_ne!(of(rendered(&report)), of(rendered(&examples::deadlock())));
}

#[test]
fn paths_become_uris() {
    assert_eq!(uri("src/a b.c"), "src/a%20b.c");
    assert_eq!(uri("/tmp/ö.c"), "file:///tmp/%C3%B6.c");
    assert_eq!(uri("src\\a.c"), "src/a.c");
}

#[test]
fn orders_are_linked_and_a_passing_run_is_the_third_flow() {
    let log = rendered(&examples::diagnosed::torn_writes());
    let result = &log["runs"][0]["results"][0];
    let text = result["message"]["text"].as_str().unwrap();
    assert!(
        text.ends_with(
            "; order A: [x = 0](4) before [x = 1](5); order B: [y = 1](6) before [y = 0](7)"
        ),
        "{text}"
    );
    let related = result["relatedLocations"].as_array().unwrap();
    let of = |id: i32| related.iter().find(|it| it["id"] == id).unwrap();
    assert_eq!(of(4)["message"]["text"], "order A: T1 writer0: x = 0");
    assert_eq!(of(7)["physicalLocation"]["region"]["startLine"], 8);
    let flows = result["codeFlows"].as_array().unwrap();
    assert_eq!(flows.len(), 3);
    let passing = &flows[2]["threadFlows"][0];
    assert_eq!(texts(passing)[2..4], ["T1 writer0: x = 0", "T1 writer0: y = 0"]);
    assert_eq!(
        passing["locations"][3]["state"],
        json!({ "x": { "text": "0" }, "y": { "text": "0" } })
    );
    let steps = flows[0]["threadFlows"][0]["locations"].as_array().unwrap();
    let essential = steps.iter().filter(|it| it["importance"] == "essential");
    let essential: Vec<&Value> = essential.map(|it| &it["executionOrder"]).collect();
    assert_eq!(essential, [3, 4, 5, 7, 13]);
    assert_eq!(result["properties"]["pattern"], "atomicity violation");
    assert_eq!(result["partialFingerprints"]["core/v1"].as_str().unwrap().len(), 16);
}

#[test]
fn every_link_leads_somewhere() {
    for report in examples::all() {
        let log = rendered(&report);
        for result in log["runs"][0]["results"].as_array().unwrap() {
            let text = result["message"]["text"].as_str().unwrap();
            let related = result["relatedLocations"].as_array().unwrap();
            for part in text.split("](").skip(1) {
                let id: u64 = part.split(')').next().unwrap().parse().unwrap();
                assert!(related.iter().any(|it| it["id"] == id), "{text}");
            }
        }
    }
}

#[test]
fn a_sequential_bug_says_so() {
    let log = rendered(&examples::diagnosed::sequential());
    let result = &log["runs"][0]["results"][0];
    let text = result["message"]["text"].as_str().unwrap();
    assert!(text.ends_with("; no thread order avoids it: it fails in every run"), "{text}");
    assert_eq!(result["properties"]["sequential"], true);
    assert_eq!(result["codeFlows"].as_array().unwrap().len(), 2);
}

#[test]
fn complete_repairs_are_fixes() {
    let log = rendered(&examples::repaired::two());
    let run = &log["runs"][0];
    assert_eq!(run["invocations"][0]["exitCode"], 0);
    let fixes = run["results"][0]["fixes"].as_array().unwrap();
    assert_eq!(fixes.len(), 2);
    assert_eq!(fixes[1]["description"]["text"], "join `writer0` before `writer1` is created");
    let change = &fixes[1]["artifactChanges"][0];
    assert_eq!(change["artifactLocation"]["uri"], "race.c");
    let create = "    pthread_create(&t2, 0, writer1, 0);\n";
    let start = examples::RACE_C.find(create).unwrap();
    let expected = json!({
        "deletedRegion": {
            "startLine": 21, "startColumn": 1, "endLine": 22, "endColumn": 1,
            "charOffset": start, "charLength": create.len(),
            "byteOffset": start, "byteLength": create.len(),
        },
        "insertedContent": { "text": "" },
    });
    assert_eq!(change["replacements"][0], expected);
    let bounded = rendered(&examples::repaired::bounded());
    assert_eq!(bounded["runs"][0]["results"][0].get("fixes"), None);
    assert_eq!(bounded["runs"][0]["invocations"][0]["exitCode"], 3);
    let none = rendered(&examples::repaired::none());
    assert_eq!(none["runs"][0]["invocations"][0]["exitCode"], 1);
}

#[test]
fn offsets_of_fixes_count_utf16_code_units() {
    let mut report = examples::repaired::two();
    let file = report.findings[0].place.as_ref().unwrap().span.file;
    report.files.set_text(file, "/* \u{1f600} */ x;\n".to_owned());
    let repair = &mut report.repairs.as_mut().unwrap().verified[0];
    repair.edits = vec![unravel_span::Edit::replace(file, 11..12, "y")];
    let log = rendered(&report);
    let fixes = &log["runs"][0]["results"][0]["fixes"];
    let region = &fixes[0]["artifactChanges"][0]["replacements"][0]["deletedRegion"];
    assert_eq!((&region["byteOffset"], &region["charOffset"]), (&json!(11), &json!(9)));
    assert_eq!(region["startColumn"], 10);
}
