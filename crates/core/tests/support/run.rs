//! Runs a check over many pairs on all threads, counts the cases, and shows the smallest example of
//! each failure.
//!
//! `CAROM_PAIRS` sets how many pairs, `CAROM_SEED` which ones; a failure prints both.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use super::dice::Dice;
use super::recipe::Pair;

/// Number of pairs: the value of the environment variable, else the small number of a plain test
/// run.
pub fn pairs(small: u64) -> u64 {
    from_environment("CAROM_PAIRS").unwrap_or(small)
}

/// First pair: the value of the environment variable, else 0.
pub fn seed() -> u64 {
    from_environment("CAROM_SEED").unwrap_or(1)
}

pub fn from_environment(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is a whole number, not {text:?}")))
}

/// Result of a check: counts by name, and broken promises by name.
#[derive(Default)]
pub struct Findings {
    counts: BTreeMap<&'static str, u64>,
    failures: BTreeMap<&'static str, Failure>,
}

struct Failure {
    times: u64,
    pair: Pair,
    detail: String,
}

impl Findings {
    pub fn count(&mut self, name: &'static str) {
        *self.counts.entry(name).or_default() += 1;
    }

    pub fn counted(&self, name: &str) -> u64 {
        self.counts.get(name).copied().unwrap_or(0)
    }

    fn fail(&mut self, promise: &'static str, times: u64, pair: &Pair, detail: &str) {
        let length = |p: &Pair| p.to_string().len();
        match self.failures.get_mut(promise) {
            Some(known) => {
                known.times += times;
                if length(pair) < length(&known.pair) {
                    (known.pair, known.detail) = (pair.clone(), detail.to_owned());
                }
            }
            None => {
                self.failures.insert(promise, Failure { times, pair: pair.clone(), detail: detail.to_owned() });
            }
        }
    }

    fn merge(&mut self, other: Self) {
        for (name, count) in other.counts {
            *self.counts.entry(name).or_default() += count;
        }
        for (promise, f) in other.failures {
            self.fail(promise, f.times, &f.pair, &f.detail);
        }
    }
}

/// Input of the check of a pair, and its broken promises.
pub struct Case<'a> {
    pub pair: &'a Pair,
    findings: &'a mut Findings,
}

impl Case<'_> {
    pub fn count(&mut self, name: &'static str) {
        self.findings.count(name);
    }

    /// Records a broken promise with the observed values.
    pub fn expect(&mut self, promise: &'static str, holds: bool, seen: impl FnOnce() -> String) {
        if !holds {
            self.findings.fail(promise, 1, self.pair, &seen());
        }
    }

    /// `small` is at most `bound`; NaN is not.
    pub fn at_most(&mut self, promise: &'static str, small: f64, bound: f64) {
        self.expect(promise, small <= bound, || format!("{small:e} is more than {bound:e}"));
    }
}

/// A run: a name for the summary line, the range of pairs, and the check.
pub struct Run<M, C> {
    pub name: &'static str,
    pub pairs: u64,
    pub make: M,
    pub check: C,
}

impl<M, C> Run<M, C>
where
    M: Fn(u64, &mut Dice) -> Pair + Sync,
    C: Fn(&mut Case<'_>) + Sync,
{
    /// All pairs; panics with the smallest examples if a promise was broken.
    pub fn go(&self) -> Findings {
        let (start, seed) = (Instant::now(), seed());
        let mut findings = self.all_pairs(seed);
        let counts: Vec<String> = findings.counts.iter().map(|(name, n)| format!("{name} {n}")).collect();
        let wrong: u64 = findings.failures.values().map(|f| f.times).sum();
        let seconds = start.elapsed().as_secs_f64();
        println!(
            "{}: {} pairs, {wrong} wrong; {}; {seconds:.1} s, seed {seed}",
            self.name,
            self.pairs,
            counts.join(", ")
        );
        assert!(findings.failures.is_empty(), "{}", self.story(&mut findings, seed));
        findings
    }

    fn all_pairs(&self, seed: u64) -> Findings {
        let next = AtomicU64::new(0);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let work = || {
            let mut findings = Findings::default();
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                if index >= self.pairs {
                    return findings;
                }
                let pair = (self.make)(index, &mut Dice::new(seed, index));
                self.examine(&pair, &mut findings);
            }
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let mut all = Findings::default();
            for worker in workers {
                match worker.join() {
                    Ok(findings) => all.merge(findings),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        })
    }

    /// Asks one pair; a panic of the library is a broken promise like any other (P22).
    fn examine(&self, pair: &Pair, findings: &mut Findings) {
        let mut own = Findings::default();
        let mut case = Case { pair, findings: &mut own };
        let survived = catch_unwind(AssertUnwindSafe(|| (self.check)(&mut case))).is_ok();
        if !survived {
            own.fail("P22: a query never panics", 1, pair, "see the message above");
        }
        findings.merge(own);
    }

    fn story(&self, findings: &mut Findings, seed: u64) -> String {
        let mut story = format!("{} (CAROM_PAIRS={} CAROM_SEED={seed})", self.name, self.pairs);
        for (promise, failure) in std::mem::take(&mut findings.failures) {
            let times = failure.times;
            let (pair, detail) = self.smallest(promise, failure);
            write!(story, "\n\n{promise}\n    broken {times} times; {detail}\n    {pair}").expect("a string");
        }
        story
    }

    /// Takes points and rounding away while the same promise stays broken.
    fn smallest(&self, promise: &'static str, failure: Failure) -> (Pair, String) {
        let (mut pair, mut detail) = (failure.pair, failure.detail);
        'shrink: loop {
            for smaller in pair.smaller() {
                let mut findings = Findings::default();
                self.examine(&smaller, &mut findings);
                if let Some(still) = findings.failures.remove(promise) {
                    (pair, detail) = (smaller, still.detail);
                    continue 'shrink;
                }
            }
            return (pair, detail);
        }
    }
}
