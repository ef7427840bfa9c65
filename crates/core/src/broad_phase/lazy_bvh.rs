//! A tree that is packed when it is first asked for: boxes that come one by one are packed all at once.

use alloc::boxed::Box;
#[cfg(feature = "std")]
use std::sync::OnceLock;

use super::Bvh;

/// No tree yet, or that of all boxes. Whoever asks first packs it, others who ask at the same time wait.
#[cfg(feature = "std")]
#[derive(Clone, Debug, Default)]
pub(super) struct LazyBvh(OnceLock<Box<Bvh>>);

#[cfg(feature = "std")]
impl LazyBvh {
    /// Can packing wait until somebody asks? Without `std` nothing would let the others wait.
    pub(super) const IS_LAZY: bool = true;

    #[expect(clippy::unnecessary_wraps, reason = "without std there is none")]
    pub(super) fn tree(&self, pack: impl FnOnce() -> Bvh) -> Option<&Bvh> {
        Some(self.0.get_or_init(|| Box::new(pack())))
    }

    /// The tree, if there was a question; there is none afterwards.
    pub(super) fn take(&mut self) -> Option<Box<Bvh>> {
        self.0.take()
    }
}

#[cfg(not(feature = "std"))]
#[derive(Clone, Debug, Default)]
pub(super) struct Late(Option<Box<Bvh>>);

#[cfg(not(feature = "std"))]
impl LazyBvh {
    pub(super) const WAITS: bool = false;

    pub(super) fn tree(&self, _: impl FnOnce() -> Bvh) -> Option<&Bvh> {
        self.0.as_deref()
    }

    pub(super) fn take(&mut self) -> Option<Box<Bvh>> {
        self.0.take()
    }
}
