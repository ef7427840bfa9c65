//! Box2D's dynamic tree.

use std::ffi::{c_int, c_void};

use boxdd_sys::ffi::{
    b2AABB, b2DynamicTree, b2DynamicTree_Create, b2DynamicTree_CreateProxy, b2DynamicTree_Destroy,
    b2DynamicTree_EnlargeProxy, b2DynamicTree_GetByteCount, b2DynamicTree_Query, b2DynamicTree_Rebuild, b2Vec2,
};
use carom::broad_phase::Aabb32;

/// Category and mask of all boxes.
const CATEGORY: u64 = 1;

/// Tree whose proxies are numbered in the order of creation.
pub(crate) struct Tree {
    tree: b2DynamicTree,
    /// By number.
    proxies: Vec<c_int>,
}

impl Tree {
    pub(crate) fn new(boxes: impl ExactSizeIterator<Item = Aabb32>) -> Self {
        let capacity = c_int::try_from(boxes.len().max(1)).expect("fewer boxes than Box2D can number");
        // SAFETY: makes a tree of its own; the capacity is at least 1.
        let mut tree = unsafe { b2DynamicTree_Create(capacity) };
        let proxies = (0..).zip(boxes).map(|(number, aabb)| {
            // SAFETY: the tree is live and nobody else has it.
            unsafe { b2DynamicTree_CreateProxy(&raw mut tree, native(&aabb), CATEGORY, number) }
        });
        let proxies = proxies.collect();
        Self { tree, proxies }
    }

    /// Sets an enlarged box of a proxy.
    pub(crate) fn enlarge(&mut self, number: u32, aabb: &Aabb32) {
        // SAFETY: the tree is live, and the proxy is one of its own that was never destroyed.
        unsafe { b2DynamicTree_EnlargeProxy(&raw mut self.tree, self.proxies[number as usize], native(aabb)) }
    }

    /// Rebuilds the enlarged parts of the tree, or the whole.
    pub(crate) fn rebuild(&mut self, all: bool) {
        // SAFETY: the tree is live.
        unsafe { b2DynamicTree_Rebuild(&raw mut self.tree, all) };
    }

    /// Returns the memory in bytes.
    pub(crate) fn bytes(&self) -> usize {
        // SAFETY: the tree is live.
        let bytes = unsafe { b2DynamicTree_GetByteCount(&raw const self.tree) };
        bytes.unsigned_abs() as usize
    }

    /// Writes the ids of the boxes that intersect a box to `found`.
    pub(crate) fn query(&self, aabb: &Aabb32, found: &mut Vec<u32>) {
        found.clear();
        // SAFETY: the tree is live; `collect` gets the pointer to `found` back, during this call only.
        unsafe {
            b2DynamicTree_Query(
                &raw const self.tree,
                native(aabb),
                u64::MAX,
                Some(collect),
                std::ptr::from_mut(found).cast(),
            );
        }
    }
}

impl Drop for Tree {
    fn drop(&mut self) {
        // SAFETY: the tree is live, and not used after this.
        unsafe { b2DynamicTree_Destroy(&raw mut self.tree) }
    }
}

/// SAFETY of the caller: `context` is the `Vec<u32>` that [`Tree::query`] was given.
unsafe extern "C" fn collect(_proxy: c_int, number: u64, context: *mut c_void) -> bool {
    // SAFETY: as the caller says.
    unsafe { &mut *context.cast::<Vec<u32>>() }.push(number as u32);
    true
}

pub(super) fn native(b: &Aabb32) -> b2AABB {
    b2AABB { lowerBound: b2Vec2 { x: b.min[0], y: b.min[1] }, upperBound: b2Vec2 { x: b.max[0], y: b.max[1] } }
}
