//! Defines ordered maps from integers to an index.
//!
//! A B-tree is compiled for every type of key and value, about 7 000 lines of LLVM code each. The
//! maps of the library that are not in inner loops share these two types. Their order makes
//! iteration deterministic.

use alloc::collections::BTreeMap;

/// A map from an integer to an index.
pub(crate) type IndexMap = BTreeMap<u64, u32>;

/// A map from three integers to an index. Keys of two integers end with 0.
pub(crate) type KeyMap = BTreeMap<[u64; 3], u32>;
