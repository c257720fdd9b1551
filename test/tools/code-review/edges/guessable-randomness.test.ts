import { edges } from "../edges.ts";

/** Returns calls of each name, which are reported, and of the names with a prefix or suffix, which are not. */
const called = (...names: string[]) =>
  names.flatMap(
    (name) => [[`zeta = ${name}(1)`, "1"], [`zeta = ${name}zz(1)`], [`zeta = zz${name}(1)`]] as const,
  );

edges("insecure-randomness", "A.java", [
  ["class A { Object f() { return new SplittableRandom(); } }", "1"],
  ["class A { int f() { int split = new Random().nextInt(); return split; } }"],
  ["zeta = RandomUtils.nextInt(1);", "1"],
  ["zeta = RandomUtils.next(1);"],
  ["zeta = MyRandomUtils.nextInt(1);"],
  ["zeta = RandomStringUtils.randomAlphabetic(1);", "1"],
  ["zeta = RandomStringUtils.secure(1);"],
  ["zeta = RandomStringUtils.count(1);"],
  ["zeta = Math.random();", "1"],
  ["zeta = MyMath.random();"],
  ["zeta = Math.randomize();"],
  ["zeta = ThreadLocalRandom.current();", "1"],
  ["zeta = ThreadLocalRandom.currently();"],
  ["zeta = new java.util.Random();", "1"],
  ["zeta = new Random().nextGaussian();", "1"],
  ["zeta = Random();"],
]);
edges("insecure-randomness", "a.py", [
  ["zeta = random.random()", "1"],
  ["zeta = random.randint(1, 2)", "1"],
  ["zeta = random.Random().choice(a)", "1"],
  ["zeta = random.SystemRandom()"],
  ["zeta = random.SystemRandom().choice(a)"],
  ["zeta = numpy.random.rand()", "1"],
  ["zeta = np.random.rand()", "1"],
  ["zeta = my.np.random.rand()"],
  ["zeta = uuid.uuid1()", "1"],
  ["zeta = uuid.uuid4()"],
  ["zeta = my_random.random()"],
]);
edges("insecure-randomness", "a.go", [
  ["zeta := rand.Intn(1)", "1"],
  ["zeta := rand.N(1)", "1"],
  ["zeta := rand.New(1)"],
  ["zeta := grand.Intn(1)"],
  ['import "math/rand"\nvar zeta = rand.New(1)', "2"],
  ['import "math/rand/v2"\nvar zeta = v2.IntN(1)', "2"],
  ['import "crypto/rand"\nvar zeta = rand.Int(a, b)'],
  ['import "crypto/rand"\nvar zeta = rand.Read(a)'],
]);
edges("insecure-randomness", "a.rb", [
  ["zeta = rand(1)", "1"],
  ["zeta = Kernel.rand(1)", "1"],
  ["zeta = Random.bytes(1)", "1"],
  ["zeta = Random.new_seed()", "1"],
  ["zeta = Random.new(1)", "1"],
  ["zeta = Random.newer(1)"],
  ["zeta = SecureRandom.hex(1)"],
  ["zeta = strand(1)"],
  ["zeta = random(1)"],
]);
edges("insecure-randomness", "a.php", [
  ...called("rand", "mt_rand", "lcg_value", "uniqid", "array_rand").map(
    ([code, ...places]) => [`<?php $${code};`, ...places] as const,
  ),
  ["<?php $zeta = random_int(1, 2);"],
]);
edges("insecure-randomness", "a.c", called("rand", "random", "drand48", "lcong48", "seed48", "RtlRandomEx"));
edges("insecure-randomness", "a.cpp", [
  ...called("std::rand", "qrand", "mt19937", "RtlRandom"),
  ["std::mt19937 zeta;", "1"],
  ["std::mt19937x zeta;"],
  ["minstd_rand zeta;", "1"],
  ["knuth_b zeta;", "1"],
]);
edges("insecure-randomness", "A.cs", [
  ["zeta = new Random();", "1"],
  ["zeta = new System.Random();", "1"],
  ["zeta = Random.Shared.NextInt64();", "1"],
  ["zeta = UnityEngine.Random.Range(1, 2);", "1"],
  ["zeta = Random.Range(1, 2);", "1"],
  ["zeta = Random.Ranges(1, 2);"],
  ["zeta = new SecureRandom();"],
  ["zeta = RandomNumberGenerator.Create();"],
]);
edges("insecure-randomness", "a.rs", [
  ["let zeta = SmallRng::seed_from_u64(1);", "1"],
  ["let zeta = rand::StdRng::from_seed(a);", "1"],
  ["let zeta = StdRng::from_entropy();"],
  ["let zeta = fastrand::u8(1);", "1"],
  ["let zeta = fasterrand::u8(1);"],
  ["let zeta = Xorshift64::of(1);"],
  ["let zeta = Xorshift64::from_seed(1);", "1"],
  ["let zeta = Pcg64::seed(1);", "1"],
  ["let zeta = rand_pcg::Pcg64::seed(1);", "1"],
  ["let zeta = Xoshiro256PlusPlus::seed(1);", "1"],
  ["let zeta = Isaac64Rng::from_rng(1);", "1"],
  ["let zeta = MyPcg64::seed(1);"],
  ["let zeta = oorandom::Rand32(1);", "1"],
  ["let zeta = OsRng::new();"],
]);
edges("insecure-randomness", "a.ts", [
  ["zeta = Math.random();", "1"],
  ["zeta = crypto.pseudoRandomBytes(1);", "1"],
  ["zeta = pseudoRandomBytes(1);", "1"],
  ["zeta = chance.hash();", "1"],
  ["zeta = faker.guid();", "1"],
  ["zeta = casual.string();", "1"],
  ["zeta = chance.name();"],
  ["zeta = mychance.hash();"],
  ["zeta = seedrandom(1);", "1"],
  ["zeta = seedrandoms(1);"],
  ["zeta = crypto.randomBytes(1);"],
]);
