//! Who goes on: the strategies.
//!
//! Plain code on plain data: no system call, so that it can be tested. The running thread asks
//! [`Scheduler::at_point`] before every event and [`Scheduler::without`] when it cannot go on.

use unravel_wire::{Control, Segment, Strategy};

use crate::follow::Follow;
use crate::random::Random;
use crate::thread::{Id, MOST, On, Status, Thread, Wait};

/// All threads, and whose turn it is. It lies in fresh memory, of zeros, and is then configured.
#[derive(Debug)]
pub struct Scheduler {
    /// The threads; the first [`Scheduler::count`] exist.
    pub threads: [Thread; MOST],
    /// How many there are, ended ones included.
    pub count: usize,
    /// Virtual time, in nanoseconds: it goes on when all sleep.
    pub now: u64,
    /// Counts changes of memory and of objects, by anybody.
    pub changes: u64,
    /// Counts events.
    pub events: u64,
    strategy: Strategy,
    random: Random,
    /// `random`: events until somebody else may go on.
    countdown: u64,
    /// `random`: the countdown is below two to the power of this.
    patience: u32,
    /// `pct`: the events that lower a priority, in order.
    lowered: [u64; MOST_CHANGES],
    /// `pct`: how many of them have come.
    lowerings: usize,
    follow: Option<Follow>,
}

/// `pct`: so many changes of priority at most.
pub const MOST_CHANGES: usize = 64;

/// What the thread that cannot go on learns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// This thread goes on.
    Thread(Id),
    /// All wait for something outside.
    Outside,
    /// Nobody can go on.
    Nobody,
    /// The schedule wants a thread to go on that cannot.
    Diverged(Id),
}

impl Scheduler {
    /// Takes the recorder's wishes.
    pub fn configure(&mut self, control: &Control, segments: &'static [Segment]) {
        let at = control.strategy as usize;
        self.strategy = Strategy::ALL.get(at).copied().unwrap_or(Strategy::Serial);
        self.random = Random::new(control.seed);
        // Some bugs need a switch at every event, some need long stretches: each seed has its own
        // length.
        self.patience = 1 + self.random.below(7) as u32;
        self.countdown = self.draw();
        let depth = (control.depth as usize).min(MOST_CHANGES);
        self.lowered = [u64::MAX; MOST_CHANGES];
        for at in 0..depth {
            self.lowered[at] = self.random.below(control.length.max(1));
        }
        self.lowered[..depth].sort_unstable();
        if self.strategy == Strategy::Follow {
            self.follow = Some(Follow::new(segments));
        }
    }

    fn draw(&mut self) -> u64 {
        let patience = self.patience;
        1 + self.random.below(1 << patience)
    }

    /// A new thread, which can go on.
    pub fn add(&mut self) -> Option<Id> {
        if self.count == MOST {
            return None;
        }
        let id = self.count as Id;
        let priority = self.fresh_priority();
        self.threads[self.count] = Thread::new(id);
        let thread = &mut self.threads[self.count];
        thread.status = Status::Ready;
        thread.priority = priority;
        self.count += 1;
        Some(id)
    }

    /// `pct` keeps the small numbers for threads that were lowered.
    fn fresh_priority(&mut self) -> u64 {
        MOST_CHANGES as u64 + (self.random.word() >> 16)
    }

    /// The thread of this number.
    pub fn thread(&mut self, id: Id) -> &mut Thread {
        &mut self.threads[usize::from(id)]
    }

    /// Segments of the schedule that were followed.
    #[must_use]
    pub fn followed(&self) -> usize {
        self.follow.map_or(0, |it| it.done())
    }

    /// The site that the schedule waits for.
    #[must_use]
    pub fn awaited(&self) -> u64 {
        self.follow.map_or(0, |it| it.awaited())
    }

    /// The schedule is of no use any more: go on as `serial` does.
    pub fn abandon(&mut self) {
        self.follow = None;
        self.strategy = Strategy::Serial;
    }

    /// A number below a limit, for decisions other than who goes on.
    pub fn pick(&mut self, limit: u64) -> u64 {
        match self.strategy {
            Strategy::Serial | Strategy::Follow => 0,
            _ => self.random.below(limit),
        }
    }

    /// A number below a limit that no strategy has an opinion about: an input. A program that polls for
    /// one would never end if it were always the same.
    pub fn draw_input(&mut self, limit: u64) -> u64 {
        self.random.below(limit)
    }

    /// The running thread stands before an event that accesses `address`. Who takes the next step?
    pub fn at_point(&mut self, me: Id, site: u64, address: usize, writes: bool) -> Next {
        self.events += 1;
        // A schedule is told of all events; it never switches inside an atomic section.
        if self.threads[usize::from(me)].atomic > 0 && self.strategy != Strategy::Follow {
            return Next::Thread(me);
        }
        match self.strategy {
            Strategy::Serial => Next::Thread(me),
            Strategy::Random => Next::Thread(self.at_random_point(me)),
            Strategy::Pct => Next::Thread(self.at_pct_point(me)),
            Strategy::Pos => Next::Thread(self.at_pos_point(me, address, writes)),
            Strategy::Follow => self.at_scheduled_point(me, site),
        }
    }

    fn at_random_point(&mut self, me: Id) -> Id {
        self.countdown -= 1;
        if self.countdown > 0 {
            return me;
        }
        self.countdown = self.draw();
        self.any_ready(true).unwrap_or(me)
    }

    /// A random thread that can go on; of those that do not spin, if it can be.
    fn any_ready(&mut self, may_spin: bool) -> Option<Id> {
        let changes = self.changes;
        let fits = |it: &Thread| it.is_ready() && (may_spin || !it.spins(changes));
        let ready = self.threads[..self.count].iter().filter(|it| fits(it)).count();
        let pick = self.random.below(ready.max(1) as u64) as usize;
        self.threads[..self.count].iter().filter(|it| fits(it)).nth(pick).map(|it| it.id)
    }

    fn at_pct_point(&mut self, me: Id) -> Id {
        let due = self.lowered.get(self.lowerings).is_some_and(|&it| it <= self.events);
        if due {
            self.lowerings += 1;
            // The later it is lowered, the lower.
            self.thread(me).priority = (MOST_CHANGES - self.lowerings) as u64;
        }
        self.highest().unwrap_or(me)
    }

    fn at_pos_point(&mut self, me: Id, address: usize, writes: bool) -> Id {
        let thread = self.thread(me);
        (thread.pending, thread.pending_writes) = (address, writes);
        let next = self.highest().unwrap_or(me);
        let (address, writes) = {
            let thread = self.thread(next);
            (thread.pending, thread.pending_writes)
        };
        // The event that comes now draws anew, and so do those that race with it.
        for at in 0..self.count {
            let thread = &self.threads[at];
            let races = thread.pending == address && (writes || thread.pending_writes);
            if thread.id == next || races && address != 0 {
                self.threads[at].priority = self.fresh_priority();
            }
        }
        next
    }

    fn highest(&self) -> Option<Id> {
        let threads = self.threads[..self.count].iter().filter(|it| it.is_ready());
        threads.max_by_key(|it| (!it.spins(self.changes), it.priority)).map(|it| it.id)
    }

    fn at_scheduled_point(&mut self, me: Id, site: u64) -> Next {
        let next = self.follow.as_mut().and_then(|it| it.stands_before(me, site));
        self.scheduled(next, me)
    }

    /// What comes of the schedule's wish.
    fn scheduled(&mut self, next: Option<Id>, me: Id) -> Next {
        let Some(next) = next else {
            self.abandon();
            return self.without(me);
        };
        if usize::from(next) >= self.count {
            return Next::Diverged(next);
        }
        if self.follow.as_mut().is_some_and(|it| it.expires()) {
            self.expire(next);
        }
        match self.thread(next).status {
            Status::Ready => Next::Thread(next),
            Status::Waiting(wait) if wait.on == On::Time => {
                self.expire(next);
                Next::Thread(next)
            }
            Status::Outside => Next::Outside,
            Status::Waiting(_) | Status::Ended => Next::Diverged(next),
        }
    }

    /// The running thread reads the same again and again. Who goes first?
    pub fn spinning(&mut self, me: Id) -> Id {
        if self.ends_in_polling(me) {
            self.abandon();
        }
        if self.strategy == Strategy::Follow || self.threads[usize::from(me)].atomic > 0 {
            return me;
        }
        self.thread(me).spins_at = self.changes;
        if self.strategy == Strategy::Pct {
            self.thread(me).priority = 0;
        }
        self.another(me).unwrap_or(me)
    }

    /// Whether the schedule ends with this thread, which polls for ever: it was computed for a run that
    /// hangs. Without the schedule others show that they do, too.
    fn ends_in_polling(&self, me: Id) -> bool {
        let polls = self.threads[usize::from(me)].spin.is_proved(self.changes);
        polls && self.follow.is_some_and(|it| it.is_last()) && self.another(me).is_some()
    }

    /// A thread that can go on, other than this one; one that does not spin, if there is one.
    fn another(&self, me: Id) -> Option<Id> {
        self.first_ready(me).filter(|&it| it != me)
    }

    /// Whether everybody who can go on spins for ever, as was proved.
    #[must_use]
    pub fn makes_no_progress(&self) -> bool {
        self.threads[..self.count].iter().all(|it| match it.status {
            Status::Ready => it.spin.is_proved(self.changes),
            Status::Waiting(wait) if wait.on == On::Time => it.spin.is_proved(self.changes),
            Status::Waiting(wait) => wait.until.is_none(),
            Status::Outside => false,
            Status::Ended => true,
        })
    }

    /// Something has changed: nobody spins any more.
    pub fn changed(&mut self) {
        self.changes += 1;
    }

    /// The running thread cannot go on, or does not want to. Who does?
    pub fn without(&mut self, me: Id) -> Next {
        match self.strategy {
            Strategy::Follow => {
                let next = self.follow.as_mut().and_then(|it| it.gives_up(me));
                self.scheduled(next, me)
            }
            Strategy::Serial => self.or_expire(self.first_ready(me)),
            Strategy::Random => {
                self.expire_at_random();
                let next = self.any_ready(false).or_else(|| self.any_ready(true));
                self.or_expire(next)
            }
            Strategy::Pct | Strategy::Pos => {
                self.expire_at_random();
                self.or_expire(self.highest())
            }
        }
    }

    /// The thread has come back from outside and has the token. Who goes on?
    pub fn returned(&mut self, me: Id) -> Next {
        match &self.follow {
            Some(follow) => {
                let next = follow.thread();
                self.scheduled(next, me)
            }
            None => self.without(me),
        }
    }

    /// The next thread in a circle that can go on, spinning ones last, and this one behind them.
    fn first_ready(&self, me: Id) -> Option<Id> {
        let count = self.count;
        let ids = (1..=count).map(|step| (usize::from(me) + step) % count);
        let ready = |at: &usize| self.threads[*at].is_ready();
        let eager = ids.clone().filter(ready).find(|&at| !self.threads[at].spins(self.changes));
        eager.or_else(|| ids.clone().find(ready)).map(|at| at as Id)
    }

    /// Now and then a time is over although others could go on.
    fn expire_at_random(&mut self) {
        const ONE_IN: u64 = 4;
        let timed = |it: &Thread| matches!(it.status, Status::Waiting(Wait { until: Some(_), .. }));
        if self.threads[..self.count].iter().any(timed) && self.random.below(ONE_IN) == 0 {
            self.expire_first();
        }
    }

    fn or_expire(&mut self, next: Option<Id>) -> Next {
        if let Some(next) = next {
            return Next::Thread(next);
        }
        if self.threads[..self.count].iter().any(|it| it.status == Status::Outside) {
            return Next::Outside;
        }
        self.expire_first().map_or(Next::Nobody, Next::Thread)
    }

    /// Ends the wait whose time is over first, and lets time go on until then.
    fn expire_first(&mut self) -> Option<Id> {
        let until = |it: &Thread| match it.status {
            Status::Waiting(Wait { until: Some(until), .. }) => Some((until, it.arrival, it.id)),
            _ => None,
        };
        let (until, _, id) = self.threads[..self.count].iter().filter_map(until).min()?;
        self.now = self.now.max(until);
        self.expire(id);
        Some(id)
    }

    /// Ends a thread's wait without a signal. One that has ended stays so.
    fn expire(&mut self, id: Id) {
        let thread = self.thread(id);
        if thread.status == Status::Ended {
            return;
        }
        thread.expired = true;
        thread.status = Status::Ready;
    }

    /// Lets those look again who wait for the object at an address.
    pub fn wake_at(&mut self, address: usize) {
        self.wake_if(|wait| wait.on.is_at(address));
    }

    /// Lets those look again whose wait is like that.
    pub fn wake_if(&mut self, fits: impl Fn(&Wait) -> bool) {
        for thread in &mut self.threads[..self.count] {
            if let Status::Waiting(wait) = &thread.status
                && fits(wait)
            {
                thread.status = Status::Ready;
            }
        }
    }
}
