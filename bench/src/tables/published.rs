//! Figures that others have published; the files in `bench/published/` say where.

/// A row of ConcBugAssist's Tables 1 and 2.
pub struct Published {
    /// The program.
    pub name: String,
    /// The kind of its bug.
    pub bug: &'static str,
    /// Failing runs that were looked at.
    pub iterations: f64,
    /// Constraints in a schedule.
    pub per_run: f64,
    /// Constraints in a core.
    pub per_core: f64,
    /// Different constraints in all cores.
    pub unique: f64,
    /// Time, on their machine.
    pub seconds: f64,
}

impl Published {
    /// The reduction ratio: different constraints in all cores, divided by those of a schedule.
    pub fn ratio(&self) -> f64 {
        self.unique / self.per_run
    }
}

/// The 34 programs, in their order.
pub fn concbugassist() -> Result<Vec<Published>, String> {
    let text = include_str!("../../published/concbugassist.tsv");
    let lines = text.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| row(line).ok_or(format!("concbugassist.tsv: `{line}`"))).collect()
}

fn row(line: &str) -> Option<Published> {
    let fields: Vec<&str> = line.split('\t').collect();
    let number = |index: usize| fields.get(index)?.parse::<f64>().ok();
    Some(Published {
        name: fields.first()?.to_string(),
        bug: match *fields.get(3)? {
            "A" => "atomicity violation",
            "O" => "order violation",
            "D" => "data race",
            _ => return None,
        },
        iterations: number(4)?,
        per_run: number(5)?,
        per_core: number(6)?,
        unique: number(7)?,
        seconds: number(8)?,
    })
}

#[cfg(test)]
mod tests {
    use super::super::figures::mean;
    use super::*;

    /// The averages are published, too.
    #[test]
    fn averages() {
        let rows = concbugassist().unwrap();
        assert_eq!(rows.len(), 34);
        let is = |value: fn(&Published) -> f64, published: f64| {
            let mean = mean(rows.iter().map(value)).unwrap();
            assert!((mean - published).abs() < 0.0051, "{mean} is not {published}");
        };
        is(|row| row.iterations, 8.15);
        is(|row| row.per_run, 51.85);
        is(|row| row.per_core, 2.77);
        is(|row| row.unique, 5.26);
        is(|row| row.seconds, 16.01);
        is(|row| row.ratio() * 100.0, 16.81);
    }
}
