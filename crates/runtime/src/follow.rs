//! A schedule that is followed.
//!
//! A [`Segment`] says: this thread runs until it stands before the n-th event of that site. So a
//! schedule holds no addresses and no numbers of steps, and whoever knows the sites of a program can
//! write one: the recorder from a run, the solver from a model.

use unravel_wire::Segment;

use crate::thread::Id;

/// Where in the schedule the run is.
#[derive(Clone, Copy, Debug)]
pub struct Follow {
    segments: &'static [Segment],
    at: usize,
    /// Events of the segment's site that are left.
    left: u64,
    /// The segment's first event is still to come, and may be the end of a wait without a signal.
    fresh: bool,
}

impl Follow {
    /// At the beginning of a schedule.
    #[must_use]
    pub fn new(segments: &'static [Segment]) -> Follow {
        let mut follow = Follow { segments, at: 0, left: 0, fresh: true };
        follow.begin();
        follow
    }

    fn begin(&mut self) {
        self.left = self.segment().map_or(0, |it| it.occurrence);
        self.fresh = true;
    }

    fn segment(&self) -> Option<Segment> {
        self.segments.get(self.at).copied()
    }

    /// Segments that are done.
    #[must_use]
    pub fn done(&self) -> usize {
        self.at
    }

    /// The thread whose turn it is; `None` at the end of the schedule.
    #[must_use]
    pub fn thread(&self) -> Option<Id> {
        self.segment().map(|it| it.thread as Id)
    }

    /// The site that ends the segment.
    #[must_use]
    pub fn awaited(&self) -> u64 {
        self.segment().map_or(0, |it| it.site)
    }

    /// Whether the schedule ends with the segment, which lasts until its thread waits or ends.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.at + 1 == self.segments.len() && self.awaited() == 0
    }

    /// Whether the wait with which the segment begins ends without a signal. Asked once.
    pub fn expires(&mut self) -> bool {
        let fresh = core::mem::replace(&mut self.fresh, false);
        fresh && self.segment().is_some_and(|it| it.expired != 0)
    }

    /// The running thread stands before an event. Returns who takes the next step; `None` at the end
    /// of the schedule.
    pub fn stands_before(&mut self, me: Id, site: u64) -> Option<Id> {
        if let Some(segment) = self.segment()
            && segment.thread as Id == me
            && segment.site == site
            && site != 0
        {
            self.left = self.left.saturating_sub(1);
            if self.left == 0 {
                self.at += 1;
                self.begin();
            }
        }
        self.thread()
    }

    /// The running thread waits or has ended. Returns who takes the next step.
    pub fn gives_up(&mut self, me: Id) -> Option<Id> {
        if let Some(segment) = self.segment()
            && segment.thread as Id == me
            && segment.site == 0
        {
            self.at += 1;
            self.begin();
        }
        self.thread()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEDULE: &[Segment] = &[
        Segment { site: 7, occurrence: 2, thread: 0, expired: 0 },
        Segment { site: 0, occurrence: 0, thread: 1, expired: 0 },
        Segment { site: 9, occurrence: 1, thread: 0, expired: 1 },
    ];

    #[test]
    fn a_thread_runs_until_it_stands_before_the_event() {
        let mut follow = Follow::new(SCHEDULE);
        assert_eq!(follow.stands_before(0, 7), Some(0));
        assert_eq!(follow.stands_before(0, 8), Some(0));
        assert_eq!(follow.stands_before(0, 7), Some(1));
        assert_eq!(follow.stands_before(1, 7), Some(1));
        assert_eq!(follow.gives_up(1), Some(0));
        assert!(follow.expires() && !follow.expires());
        assert_eq!(follow.stands_before(0, 9), None);
        assert_eq!(follow.done(), 3);
    }
}
