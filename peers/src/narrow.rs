//! How a library enters the narrow phase: a call that takes one record and says whether the pair meets.

use std::rc::Rc;

use crate::race::{Call, Contestant};

/// A contestant that answers a stream of records, one yes or no for each.
pub(crate) type Stream = Contestant<Vec<bool>>;

impl Call {
    /// The timed loop of everybody: records in, answers out.
    pub(crate) fn over<R: 'static>(self, records: &Rc<[R]>, ask: impl Fn(&R) -> bool + 'static) -> Stream {
        let records = Rc::clone(records);
        Contestant {
            call: self,
            run: Box::new(move |answers: &mut Vec<bool>| {
                answers.clear();
                answers.extend(records.iter().map(&ask));
            }),
        }
    }
}
