//! Who has to look when something happens.
//!
//! Lists are sorted by chain and place of the other end, because news of the order comes as a run of places of one
//! chain: "`u` now reaches the places from 3 to 7 of chain 2". A rule then looks at exactly the pairs concerned.

use super::chains::Chains;
use crate::lit::Lit;
use crate::problem::Problem;

/// What a literal means to the theory once it is true.
#[derive(Copy, Clone, Debug)]
pub(super) enum Meaning {
    /// The conditional edge of this number holds.
    Edge(u32),
    /// The source of this number is read from.
    Rf(u32),
    /// The write of the source of this number is executed, at the address of the read.
    Live(u32),
}

/// A source or a conditional edge, and where its other end is.
#[derive(Copy, Clone, Debug)]
pub(super) struct Entry {
    key: u64,
    pub(super) item: u32,
}

/// Entries of one event or node, sorted.
pub(super) type Entries = Vec<Entry>;

/// All lists.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    /// Per node, its reads.
    pub(super) reads_in: Vec<Vec<u32>>,
    /// Per node, its writes.
    pub(super) writes_in: Vec<Vec<u32>>,
    /// Per read, its sources, sorted by where the write is.
    pub(super) by_read: Vec<Entries>,
    /// Per source, its place in the list of its read.
    rank: Vec<u32>,
    /// Per write, the sources it is, sorted by where the read is.
    pub(super) by_write: Vec<Entries>,
    /// Per node, the conditional edges that end in it, sorted by where they begin.
    pub(super) into: Vec<Entries>,
    /// Per literal, where its meanings begin in `meanings`.
    starts: Vec<u32>,
    meanings: Vec<Meaning>,
}

impl Index {
    pub(super) fn new(problem: &Problem, chains: &Chains) -> Index {
        let nodes = problem.nodes as usize;
        let mut index = Index {
            reads_in: vec![Vec::new(); nodes],
            writes_in: vec![Vec::new(); nodes],
            by_read: vec![Vec::new(); problem.reads.len()],
            by_write: vec![Vec::new(); problem.writes.len()],
            into: vec![Vec::new(); nodes],
            ..Index::default()
        };
        for (read, event) in (0..).zip(&problem.reads) {
            index.reads_in[event.node as usize].push(read);
        }
        for (write, event) in (0..).zip(&problem.writes) {
            index.writes_in[event.node as usize].push(write);
        }
        for (item, source) in (0..).zip(&problem.sources) {
            let key = key_of(chains, problem.write_of(item).node);
            index.by_read[source.read as usize].push(Entry { key, item });
            let key = key_of(chains, problem.read_of(item).node);
            index.by_write[source.write as usize].push(Entry { key, item });
        }
        for (item, edge) in (0..).zip(&problem.conditional) {
            let key = key_of(chains, edge.before);
            index.into[edge.after as usize].push(Entry { key, item });
        }
        for list in index.by_read.iter_mut().chain(&mut index.by_write).chain(&mut index.into) {
            list.sort_unstable_by_key(|entry| (entry.key, entry.item));
        }
        index.rank = vec![0; problem.sources.len()];
        for list in &index.by_read {
            for (rank, entry) in (0..).zip(list) {
                index.rank[entry.item as usize] = rank;
            }
        }
        index.collect_meanings(problem);
        index
    }

    fn collect_meanings(&mut self, problem: &Problem) {
        let mut pairs: Vec<(Lit, Meaning)> = Vec::new();
        pairs.extend((0..).zip(&problem.conditional).map(|(i, e)| (e.lit, Meaning::Edge(i))));
        for (i, source) in (0..).zip(&problem.sources) {
            pairs.extend(source.rf.map(|rf| (rf, Meaning::Rf(i))));
            pairs.push((source.live, Meaning::Live(i)));
        }
        // The sort is stable: meanings of one literal stay in the order in which they were stated.
        pairs.sort_by_key(|(lit, _)| lit.index());
        let literals = pairs.last().map_or(0, |(lit, _)| lit.index() + 1);
        self.starts = vec![0; literals + 1];
        for (lit, _) in &pairs {
            self.starts[lit.index() + 1] += 1;
        }
        for i in 0..literals {
            self.starts[i + 1] += self.starts[i];
        }
        self.meanings = pairs.into_iter().map(|(_, meaning)| meaning).collect();
    }

    /// The sources of the same read, of the same chain as `source`, that come after it.
    pub(super) fn later_in_chain(
        &self,
        read: u32,
        source: u32,
    ) -> impl Iterator<Item = u32> + use<'_> {
        let list = &self.by_read[read as usize][self.rank[source as usize] as usize..];
        let chain = |entry: &Entry| entry.key >> 32;
        let own = list.first().map(chain);
        list.iter().skip(1).take_while(move |entry| Some(chain(entry)) == own).map(|e| e.item)
    }

    /// Where the meanings of a literal are, for [`Index::meaning`].
    pub(super) fn meanings(&self, lit: Lit) -> std::ops::Range<usize> {
        match self.starts.get(lit.index()..lit.index() + 2) {
            Some(range) => range[0] as usize..range[1] as usize,
            None => 0..0,
        }
    }

    pub(super) fn meaning(&self, at: usize) -> Meaning {
        self.meanings[at]
    }
}

fn key_of(chains: &Chains, node: u32) -> u64 {
    key(chains.chain[node as usize], chains.place[node as usize])
}

fn key(chain: u32, place: u32) -> u64 {
    u64::from(chain) << 32 | u64::from(place)
}

/// The part of a list whose other end lies in a run of places of one chain.
pub(super) fn within(list: &[Entry], run: Run) -> std::ops::Range<usize> {
    let first = list.partition_point(|entry| entry.key < key(run.chain, run.first));
    let count = list[first..].partition_point(|entry| entry.key < key(run.chain, run.end));
    first..first + count
}

/// The places `first..end` of a chain.
#[derive(Copy, Clone, Debug)]
pub(super) struct Run {
    pub(super) chain: u32,
    pub(super) first: u32,
    pub(super) end: u32,
}
