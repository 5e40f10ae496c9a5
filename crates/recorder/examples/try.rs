fn main() {
    let mut args = std::env::args().skip(1);
    let program = std::path::PathBuf::from(args.next().unwrap());
    let seed: u64 = args.next().and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut plan = unravel_recorder::Plan::new(&program);
    plan.strategy = if seed == 0 { unravel_wire::Strategy::Serial } else { unravel_wire::Strategy::Random };
    plan.seed = seed;
    let mut records = Vec::new();
    let ended = unravel_recorder::run(&plan, &mut records);
    for r in &records { println!("T{} {:?} site {:x} n {} a {:x} b {:x}", r.thread(), r.kind(), r.site, r.number(), r.a, r.b); }
    println!("{ended:?} {}", records.len());
    let repeat = unravel_trace::repeat::schedule(&records);
    println!("{} segments", repeat.segments.len());
    plan.strategy = unravel_wire::Strategy::Follow;
    plan.repeat = Some(&repeat);
    let mut same = 0;
    for _ in 0..20 {
        let mut again = Vec::new();
        let e = unravel_recorder::run(&plan, &mut again);
        match unravel_trace::compare::difference(&records, &again) { None => same += 1, Some(d) => println!("{d:?} {e:?}") }
    }
    println!("{same} of 20");
}
