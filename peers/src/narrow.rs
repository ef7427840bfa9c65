//! Defines the narrow-phase interface of a library: a call that takes one record and returns
//! whether the pair intersects.

use std::rc::Rc;

use crate::race::{Call, Contestant};

/// Library call that returns one boolean per record.
pub(crate) type Stream = Contestant<Vec<bool>>;

impl Call {
    /// Timed loop of all libraries: records in, results out.
    pub(crate) fn over<R: 'static>(self, records: &Rc<[R]>, query: impl Fn(&R) -> bool + 'static) -> Stream {
        let records = Rc::clone(records);
        Contestant {
            call: self,
            run: Box::new(move |answers: &mut Vec<bool>| {
                answers.clear();
                answers.extend(records.iter().map(&query));
            }),
        }
    }
}
