//! Builds a BVH lazily: the first query builds it from all boxes inserted so far.
//!
//! Input: a function that builds the tree. Output: the tree, built at most once.
//!
//! Single insertions give a worse tree than bulk loading, and take longer. Bulk loading needs all
//! boxes, but `insert` does not know which one is the last. A query has shared access only, so the
//! tree is stored in a [`OnceLock`]. Without the feature `std` there is no such lock, and the owner
//! builds its index during insertion.

use alloc::boxed::Box;
#[cfg(feature = "std")]
use std::sync::OnceLock;

use super::Bvh;

/// Empty, or the BVH of all boxes. The first thread to query builds it; other threads wait.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
pub(super) struct LazyBvh(OnceLock<Box<Bvh>>);

#[cfg(feature = "std")]
impl LazyBvh {
    /// If true, building can be deferred. Without `std` there is no lock for other threads to wait
    /// on.
    pub(super) const IS_LAZY: bool = true;

    /// Returns the BVH. Builds it first if it does not exist.
    #[expect(clippy::unnecessary_wraps, reason = "without std there is none")]
    pub(super) fn tree(&self, pack: impl FnOnce() -> Bvh) -> Option<&Bvh> {
        Some(self.0.get_or_init(|| Box::new(pack())))
    }

    /// Returns and removes the BVH, if it was built.
    pub(super) fn take(&mut self) -> Option<Box<Bvh>> {
        self.0.take()
    }
}

/// No BVH: without the feature `std` there is no lock, so nothing is built lazily.
#[cfg(not(feature = "std"))]
#[derive(Clone, Debug, Default)]
pub(super) struct LazyBvh(Option<Box<Bvh>>);

#[cfg(not(feature = "std"))]
impl LazyBvh {
    /// False: the owner builds its index during insertion.
    pub(super) const IS_LAZY: bool = false;

    /// Returns `None`: there is no BVH.
    pub(super) fn tree(&self, _: impl FnOnce() -> Bvh) -> Option<&Bvh> {
        self.0.as_deref()
    }

    /// Returns `None`: there is no BVH.
    pub(super) fn take(&mut self) -> Option<Box<Bvh>> {
        self.0.take()
    }
}
