//! Every level of this CPU computes what plain Rust computes, bit for bit. All NaN count as equal.

use carom_simd::{
    Baseline, Mask, Scalar, Simd, VectorLanes, f32s, f32x8, f64s, f64x2, f64x4, f64x8, i16x8, i32x8, i64x8, mask32s,
    mask32x8, mask64s, mask64x2, u32s, u64s,
};

/// Numbers with all cases of comparisons and of signs.
const F64: [f64; 8] = [0.0, -0.0, 1.0, -1.5, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 5e-324];
/// The same in single precision.
const F32: [f32; 8] = [0.0, -0.0, 1.0, -1.5, f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e-45];
/// Integers about the limits of signed and unsigned ones.
const BITS: [u64; 8] = [0, 1, 7, 1 << 31, (1 << 31) - 1, u64::MAX, 1 << 63, 0x1234_5678_9abc_def0];

/// Runs a check on every level of this CPU, with the level that is tested.
macro_rules! on_every_level {
    ($check:ident) => {{
        $check(Scalar::new());
        $check(Baseline::new());
        #[cfg(all(any(target_arch = "x86", target_arch = "x86_64"), target_feature = "sse2"))]
        {
            let (avx2, avx512) = (carom_simd::Avx2::detect(), carom_simd::Avx512::detect());
            println!("AVX2: {}, AVX-512: {}", avx2.is_some(), avx512.is_some());
            avx2.map(|simd| {
                simd.vectorize(
                    #[inline(always)]
                    || $check(simd),
                )
            });
            avx512.map(|simd| {
                simd.vectorize(
                    #[inline(always)]
                    || $check(simd),
                )
            });
        }
    }};
}

/// Returns numbers that start at different places of a list, so that pairs of lanes differ.
fn rotated<T: Copy, const N: usize>(list: [T; 8], by: usize) -> [T; N] {
    std::array::from_fn(|i| list[(i * (1 + by / 8) + by) % 8])
}

/// A number with bits that can be compared. All NaN are equal.
trait Exact: Copy {
    fn exact(self) -> u64;
}

impl Exact for f64 {
    fn exact(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits() }
    }
}

impl Exact for f32 {
    fn exact(self) -> u64 {
        if self.is_nan() { u64::MAX } else { self.to_bits().into() }
    }
}

macro_rules! exact {
    ($($integer:ty: $bits:expr;)*) => {
        $(impl Exact for $integer {
            fn exact(self) -> u64 {
                $bits(self)
            }
        })*
    };
}

exact! {
    i32: |x: i32| x as u64;
    i64: |x: i64| x as u64;
    u32: u64::from;
    u64: u64::from;
}

/// Returns the bits of all lanes.
fn exact<T: Exact, const N: usize>(lanes: [T; N]) -> [u64; N] {
    lanes.map(T::exact)
}

/// Returns the mask of a comparison of two arrays.
fn mask_of<T: Copy, const N: usize>(a: [T; N], b: [T; N], holds: impl Fn(&T, &T) -> bool) -> u64 {
    (0..N).filter(|&i| holds(&a[i], &b[i])).map(|i| 1 << i).sum()
}

/// Combines the low half of the lanes with the high half, until one lane is left.
fn halved<T: Copy, const N: usize>(lanes: [T; N], combine: fn(T, T) -> T) -> T {
    let mut lanes = lanes.to_vec();
    while lanes.len() > 1 {
        let (low, high) = lanes.split_at(lanes.len() / 2);
        lanes = low.iter().zip(high).map(|(&a, &b)| combine(a, b)).collect();
    }
    lanes[0]
}

/// Checks all functions of one type of vector of floating-point numbers against plain Rust.
macro_rules! check_floats {
    ($vector:ident, $number:ty, $list:ident, $simd:ident, $lanes:literal) => {
        for k in 0..64 {
            let (a, b): ([$number; $lanes], [$number; $lanes]) = (rotated($list, k % 8), rotated($list, k / 8 + k % 8));
            let (p, q) = ($vector::from_array($simd, a), $vector::from_array($simd, b));
            let lanes = |f: fn($number, $number) -> $number| -> [u64; $lanes] {
                std::array::from_fn(|i| f(a[i], b[i]).exact())
            };
            assert_eq!(exact((p + q).to_array()), lanes(|a, b| a + b), "{a:?} + {b:?}");
            assert_eq!(exact((p - q).to_array()), lanes(|a, b| a - b), "{a:?} - {b:?}");
            assert_eq!(exact((p * q).to_array()), lanes(|a, b| a * b), "{a:?} * {b:?}");
            assert_eq!(exact((p / q).to_array()), lanes(|a, b| a / b), "{a:?} / {b:?}");
            assert_eq!(exact(p.min(q).to_array()), lanes(|a, b| if a < b { a } else { b }), "min of {a:?}, {b:?}");
            assert_eq!(exact(p.max(q).to_array()), lanes(|a, b| if a > b { a } else { b }), "max of {a:?}, {b:?}");
            assert_eq!(exact((-p).to_array()), lanes(|a, _| -a), "-{a:?}");
            assert_eq!(exact(p.abs().to_array()), lanes(|a, _| a.abs()), "abs of {a:?}");
            assert_eq!(exact(p.sqrt().to_array()), lanes(|a, _| a.sqrt()), "sqrt of {a:?}");
            let scaled: [u64; $lanes] = std::array::from_fn(|i| (a[i] * b[0]).exact());
            assert_eq!(exact((p * b[0]).to_array()), scaled, "{a:?} * {}", b[0]);
            for (mask, holds) in [
                (p.simd_lt(q), mask_of(a, b, |a, b| a < b)),
                (p.simd_le(q), mask_of(a, b, |a, b| a <= b)),
                (p.simd_gt(q), mask_of(a, b, |a, b| a > b)),
                (p.simd_ge(q), mask_of(a, b, |a, b| a >= b)),
                (p.simd_eq(q), mask_of(a, b, |a, b| a == b)),
            ] {
                assert_eq!(mask.to_bitmask(), holds, "{a:?}, {b:?}");
                assert_eq!((mask.any_true(), mask.all_true()), (holds != 0, holds == (1 << $lanes) - 1));
                assert_eq!((!mask).to_bitmask(), !holds & ((1 << $lanes) - 1));
                let chosen: [u64; $lanes] =
                    std::array::from_fn(|i| if holds >> i & 1 == 1 { a[i] } else { b[i] }.exact());
                assert_eq!(exact(mask.select(p, q).to_array()), chosen);
                let packed: Vec<u64> = (0..$lanes).filter(|i| holds >> i & 1 == 1).map(|i| a[i].exact()).collect();
                assert_eq!(exact::<_, $lanes>(p.compress(mask).to_array())[..packed.len()], packed);
            }
            assert_eq!((p + b[0]).to_array::<$lanes>().map(Exact::exact), a.map(|a| (a + b[0]).exact()));
            assert_eq!((p - b[0]).to_array::<$lanes>().map(Exact::exact), a.map(|a| (a - b[0]).exact()));
            assert_eq!((p / b[0]).to_array::<$lanes>().map(Exact::exact), a.map(|a| (a / b[0]).exact()));
            assert_eq!(p.simd_lt(b[0]).to_bitmask(), mask_of(a, [b[0]; $lanes], |a, b| a < b));
            assert_eq!(p.reduce_min().exact(), halved(a, |a, b| if a < b { a } else { b }).exact(), "least of {a:?}");
            assert_eq!(
                p.reduce_max().exact(),
                halved(a, |a, b| if a > b { a } else { b }).exact(),
                "greatest of {a:?}"
            );
            assert!(p.simd_eq(p).all_true() != a.iter().any(|a| a.is_nan()));
        }
    };
}

/// Dispatches on the number of lanes, which is a constant only for each level.
macro_rules! check_native {
    ($vector:ident, $number:ty, $list:ident, $simd:ident) => {
        match $vector::<S>::LEN {
            2 => check_floats!($vector, $number, $list, $simd, 2),
            4 => check_floats!($vector, $number, $list, $simd, 4),
            8 => check_floats!($vector, $number, $list, $simd, 8),
            _ => check_floats!($vector, $number, $list, $simd, 16),
        }
    };
}

#[inline(always)]
fn floats<S: Simd>(simd: S) {
    check_floats!(f64x2, f64, F64, simd, 2);
    check_floats!(f64x4, f64, F64, simd, 4);
    check_floats!(f64x8, f64, F64, simd, 8);
    check_floats!(f32x8, f32, F32, simd, 8);
    check_native!(f64s, f64, F64, simd);
    check_native!(f32s, f32, F32, simd);
}

#[test]
fn floats_are_those_of_rust_on_every_level() {
    on_every_level!(floats);
}

/// Checks the vectors of integers whose length depends on the level.
#[inline(always)]
fn integers_of<S: Simd, const N32: usize, const N64: usize>(simd: S) {
    for k in 0..64 {
        let (a, b): ([u64; N32], [u64; N32]) = (rotated(BITS, k % 8), rotated(BITS, k / 8 + k % 8));
        let (a, b) = (a.map(|x| (x ^ x >> 32) as u32), b.map(|x| (x ^ x >> 32) as u32));
        let (p, q) = (u32s::from_array(simd, a), u32s::from_array(simd, b));
        let lanes = |f: fn(u32, u32) -> u32| -> [u32; N32] { std::array::from_fn(|i| f(a[i], b[i])) };
        assert_eq!((p + q).to_array(), lanes(u32::wrapping_add));
        assert_eq!((p & q).to_array(), lanes(|a, b| a & b));
        assert_eq!((p | q).to_array(), lanes(|a, b| a | b));
        assert_eq!((p ^ q).to_array(), lanes(|a, b| a ^ b));
        assert_eq!(p.min(q).to_array(), lanes(u32::min), "min of {a:?}, {b:?}");
        assert_eq!(p.max(q).to_array(), lanes(u32::max), "max of {a:?}, {b:?}");
        assert_eq!((Some(p.reduce_min()), Some(p.reduce_max())), (a.into_iter().min(), a.into_iter().max()));
        let mask = p.simd_eq(q);
        assert_eq!(mask.to_bitmask(), mask_of(a, b, u32::eq));
        let (low, high) = p.interleave(q);
        let zipped: Vec<u32> = a.into_iter().zip(b).flat_map(<[u32; 2]>::from).collect();
        assert_eq!([low.to_array::<N32>(), high.to_array()].concat(), zipped);
        let (even, odd) = low.deinterleave(high);
        assert_eq!((even.to_array(), odd.to_array()), (a, b));
        for bits in 0..1 << N32.min(12) {
            let mask = mask32s::from_bitmask(simd, bits | !0 << N32);
            assert_eq!((mask.to_bitmask(), mask.all_true()), (bits, bits == (1 << N32) - 1));
            assert_eq!((!mask).to_bitmask(), !bits & ((1 << N32) - 1));
            let chosen: [u32; N32] = std::array::from_fn(|i| if bits >> i & 1 == 1 { a[i] } else { b[i] });
            assert_eq!(mask.select(p, q).to_array(), chosen);
            let packed: Vec<u32> = (0..N32).filter(|i| bits >> i & 1 == 1).map(|i| a[i]).collect();
            assert_eq!(p.compress(mask).to_array::<N32>()[..packed.len()], packed);
        }
    }
    for k in 0..64 {
        let (a, b): ([u64; N64], [u64; N64]) = (rotated(BITS, k % 8), rotated(BITS, k / 8 + k % 8));
        let (p, q) = (u64s::from_array(simd, a), u64s::from_array(simd, b));
        assert_eq!((p + q).to_array(), std::array::from_fn::<_, N64, _>(|i| a[i].wrapping_add(b[i])));
        assert_eq!((p ^ q).to_array(), std::array::from_fn::<_, N64, _>(|i| a[i] ^ b[i]));
        assert_eq!(((p | 1) & q).to_array(), std::array::from_fn::<_, N64, _>(|i| (a[i] | 1) & b[i]));
        assert_eq!(p.simd_eq(q).to_bitmask(), mask_of(a, b, u64::eq), "{a:?}, {b:?}");
        for bits in 0..1 << N64 {
            let mask = mask64s::from_bitmask(simd, bits | !0 << N64);
            assert_eq!((mask.to_bitmask(), mask.all_true()), (bits, bits == (1 << N64) - 1));
            assert_eq!((!mask).to_bitmask(), !bits & ((1 << N64) - 1));
            assert_eq!((mask ^ p.simd_eq(q)).to_bitmask(), bits ^ mask_of(a, b, u64::eq));
            let packed: Vec<u64> = (0..N64).filter(|i| bits >> i & 1 == 1).map(|i| a[i]).collect();
            assert_eq!(p.compress(mask).to_array::<N64>()[..packed.len()], packed);
            let chosen: [u64; N64] = std::array::from_fn(|i| if bits >> i & 1 == 1 { a[i] } else { b[i] });
            assert_eq!(mask.select(p, q).to_array(), chosen);
        }
    }
}

#[inline(always)]
fn integers<S: Simd>(simd: S) {
    match u32s::<S>::LEN {
        4 => integers_of::<S, 4, 2>(simd),
        8 => integers_of::<S, 8, 4>(simd),
        _ => integers_of::<S, 16, 8>(simd),
    }
    for k in 0..64 {
        let (a, b): ([u64; 8], [u64; 8]) = (rotated(BITS, k % 8), rotated(BITS, k / 8 + k % 8));
        let (a, b) = (a.map(|x| (x ^ x >> 32) as i32), b.map(|x| (x ^ x >> 32) as i32));
        let (p, q) = (i32x8::from_array(simd, a), i32x8::from_array(simd, b));
        assert_eq!(p.min(q).to_array(), std::array::from_fn::<_, 8, _>(|i| a[i].min(b[i])), "min of {a:?}, {b:?}");
        assert_eq!(p.max(q).to_array(), std::array::from_fn::<_, 8, _>(|i| a[i].max(b[i])), "max of {a:?}, {b:?}");
        assert_eq!(((p & q) | 7).to_array(), std::array::from_fn::<_, 8, _>(|i| a[i] & b[i] | 7));
        assert_eq!(Some(p.reduce_min()), a.into_iter().min());
        assert_eq!(Some(p.reduce_max()), a.into_iter().max());
        let mask = mask32x8::from_bitmask(simd, k as u64 * 3);
        let chosen: [i32; 8] = std::array::from_fn(|i| if (k * 3) >> i & 1 == 1 { a[i] } else { b[i] });
        assert_eq!(mask.select(p, q).to_array(), chosen);
        assert_eq!((p + q).to_array(), std::array::from_fn::<_, 8, _>(|i| a[i].wrapping_add(b[i])));
        assert_eq!((p ^ q).to_array(), std::array::from_fn::<_, 8, _>(|i| a[i] ^ b[i]));
        assert_eq!(p.simd_eq(q).to_bitmask(), mask_of(a, b, i32::eq));
        let (c, d) = (a.map(i64::from), b.map(i64::from));
        assert_eq!(i64x8::from_array(simd, c).simd_eq(i64x8::from_array(simd, d)).to_bitmask(), mask_of(c, d, i64::eq));
        assert_eq!(i64x8::from_array(simd, c).as_slice(), c);
        let is_less = f64x8::from_array(simd, a.map(f64::from)).simd_lt(f64x8::from_array(simd, b.map(f64::from)));
        let least: [i64; 8] = is_less.select(i64x8::from_array(simd, c), i64x8::from_array(simd, d)).to_array();
        assert_eq!(least, std::array::from_fn::<_, 8, _>(|i| c[i].min(d[i])));
    }
}

#[test]
fn integers_are_those_of_rust_on_every_level() {
    on_every_level!(integers);
}

#[inline(always)]
fn masks<S: Simd>(simd: S) {
    for (a, b) in (0..256).flat_map(|a| [0, 1, 0x55, 0xaa, 0xfe, 0xff].map(|b| (a, b))) {
        let (p, q) = (mask32x8::from_bitmask(simd, a | 0xf00), mask32x8::from_bitmask(simd, b));
        assert_eq!((p.to_bitmask(), p.any_true(), p.all_true()), (a, a != 0, a == 255));
        assert_eq!([p & q, p | q, p ^ q, !p].map(Mask::to_bitmask), [a & b, a | b, a ^ b, !a & 255]);
        let (mut and, mut or, mut xor) = (p, p, p);
        and &= q;
        or |= q;
        xor ^= q;
        assert_eq!([and, or, xor].map(Mask::to_bitmask), [a & b, a | b, a ^ b]);
        let two = mask64x2::from_bitmask(simd, a);
        assert_eq!((two.to_bitmask(), (!two).to_bitmask(), two.all_true()), (a & 3, !a & 3, a & 3 == 3));
    }
}

#[test]
fn masks_ignore_bits_without_a_lane_on_every_level() {
    on_every_level!(masks);
}

/// (1 + ε)² = 1 + 2ε + ε². The last term is lost if the product is rounded, and is left over if it is not.
#[inline(always)]
fn unfused<S: Simd>(simd: S) {
    let x = std::hint::black_box(1.0 + f64::EPSILON);
    let (p, q) = (f64s::splat(simd, x), f64s::splat(simd, -(1.0 + 2.0 * f64::EPSILON)));
    assert_eq!((p * p + q)[0].to_bits(), 0.0_f64.to_bits());
}

#[test]
fn products_and_sums_are_rounded_one_by_one_on_every_level() {
    on_every_level!(unfused);
}

#[inline(always)]
fn places<S: Simd>(simd: S) {
    let numbers: [f64; 16] = std::array::from_fn(|i| i as f64);
    let (low, high) = (f64x4::from_slice(simd, &numbers[..4]), f64x4::from_slice(simd, &numbers[4..8]));
    assert_eq!(f64x8::concat(low, high).to_array::<8>(), numbers[..8]);
    let (first, second) = low.interleave(high);
    assert_eq!((first.to_array(), second.to_array()), ([0.0, 4.0, 1.0, 5.0], [2.0, 6.0, 3.0, 7.0]));
    let (even, odd) = low.deinterleave(high);
    assert_eq!((even.to_array(), odd.to_array()), ([0.0, 2.0, 4.0, 6.0], [1.0, 3.0, 5.0, 7.0]));
    let [p, q] = [[1.0, 2.0], [3.0, 4.0]].map(|pair| f64x2::from_array(simd, pair));
    assert_eq!((p.interleave(q).0.to_array(), p.interleave(q).1.to_array()), ([1.0, 3.0], [2.0, 4.0]));
    assert_eq!((mask64x2::from_bitmask(simd, 2).select(p, q).to_array(), p[1]), ([3.0, 2.0], 2.0));
    let n = f64s::<S>::LEN;
    let (a, b) = (f64s::from_slice(simd, &numbers[..n]), f64s::from_slice(simd, &numbers[n..2 * n]));
    let (even, odd) = a.deinterleave(b);
    let (first, second) = even.interleave(odd);
    assert_eq!((first.as_slice(), second.as_slice()), (a.as_slice(), b.as_slice()));
    assert!((0..n).all(|i| even[i] == numbers[2 * i] && odd[i] == numbers[2 * i + 1]));
    let small: [f32; 16] = std::array::from_fn(|i| i as f32);
    let lanes = f32s::from_slice(simd, &small[..f32s::<S>::LEN]).swap_pairs();
    assert!((0..f32s::<S>::LEN).all(|i| lanes[i] == (i ^ 2) as f32));
    let mut sum = f32x8::splat(simd, 0.5);
    sum += 2.0;
    assert_eq!(sum.to_bits().to_array(), [2.5_f32.to_bits().cast_signed(); 8]);
}

#[test]
fn lanes_change_places_alike_on_every_level() {
    on_every_level!(places);
}

#[inline(always)]
fn widened<S: Simd>(simd: S) {
    let whole = [i16::MIN, -1, 0, 1, 255, -256, 1000, i16::MAX];
    let lanes = i16x8::load(simd, &whole);
    assert_eq!(lanes.to_f32().to_array(), whole.map(f32::from));
    let mut rotated = whole;
    rotated.rotate_left(1);
    assert_eq!(lanes.rotate().to_f32().to_array(), rotated.map(f32::from));
    let bytes: [i8; 16] = std::array::from_fn(|i| (i as u8 * 17).cast_signed());
    let [low, high] = i16x8::widen(simd, &bytes).map(|lanes| lanes.to_f32().to_array::<8>());
    assert_eq!([low, high].concat(), bytes.map(f32::from));
}

#[test]
fn small_integers_are_widened_exactly_on_every_level() {
    on_every_level!(widened);
}

#[inline(always)]
fn wrong_length<S: Simd>(simd: S) {
    let numbers = [0.0; 9];
    for count in [0, 7, 9] {
        let load = || f64x8::from_slice(simd, &numbers[..count]).to_array::<8>();
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(load)).is_err(), "{count} numbers");
        let store = || f64x8::splat(simd, 1.0).store_slice(&mut [0.0; 9][..count]);
        assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(store)).is_err(), "{count} numbers");
    }
}

/// A slice of another length must not be read or written beyond its end.
#[test]
fn slices_of_another_length_panic_on_every_level() {
    on_every_level!(wrong_length);
}
