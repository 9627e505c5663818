import fc from 'fast-check';

type Parts = readonly [number, number, number, number];

/** IPv4 addresses that a provider must never have. */
export function deniedIpv4(): fc.Arbitrary<Parts> {
  const byte = fc.integer({ min: 0, max: 255 });
  return fc.oneof(
    fc.constant<Parts>([169, 254, 169, 254]),
    fc.constant<Parts>([100, 100, 100, 200]),
    fc.constant<Parts>([168, 63, 129, 16]),
    fc.tuple(byte, byte).map(([c, d]): Parts => [169, 254, c, d]),
  );
}

/** A way to write an IPv4 address that URLs take: decimal, octal or hexadecimal, in one to four parts. */
export function ipv4Text(): fc.Arbitrary<(parts: Parts) => string> {
  const digits = fc.constantFrom<(value: number) => string>(
    (value) => String(value),
    (value) => `0x${value.toString(16)}`,
    (value) => `0X${value.toString(16).toUpperCase()}`,
    (value) => `0${value.toString(8)}`,
    (value) => `0x000${value.toString(16)}`,
  );
  return fc
    .tuple(
      fc.integer({ min: 1, max: 4 }),
      fc.array(digits, { minLength: 4, maxLength: 4 }),
      fc.boolean(),
    )
    .map(([count, writers, hasDot]) => (parts) => {
      const heads = parts.slice(0, count - 1);
      const rest = parts.slice(count - 1).reduce((sum, part) => sum * 256 + part, 0);
      const text = [...heads, rest].map((value, index) => writers[index]?.(value) ?? '');
      return `${text.join('.')}${hasDot ? '.' : ''}`;
    });
}

/** A way to write an IPv6 address that leads to an IPv4 one. */
export function ipv6Text(): fc.Arbitrary<(parts: Parts) => string> {
  const group = fc.integer({ min: 0, max: 0xffff });
  const embed = fc.oneof(
    fc.constantFrom<(high: number, low: number) => number[]>(
      (high, low) => [0, 0, 0, 0, 0, 0xffff, high, low],
      (high, low) => [0, 0, 0, 0, 0xffff, 0, high, low],
      (high, low) => [0, 0, 0, 0, 0, 0, high, low],
      (high, low) => [0x64, 0xff9b, 0, 0, 0, 0, high, low],
    ),
    group.map((any) => (high: number, low: number) => [0x64, 0xff9b, 1, any, any, any, high, low]),
    fc
      .tuple(group, group)
      .map(([a, b]) => (high: number, low: number) => [0x2002, high, low, a, 0, 0, 0, b]),
    group.map((any) => (high: number, low: number) => [
      0x2001,
      0,
      any,
      1,
      0,
      any,
      high ^ 0xffff,
      low ^ 0xffff,
    ]),
    group.map((any) => (high: number, low: number) => [
      0x2001,
      0xdb8,
      any,
      0,
      0,
      0x5efe,
      high,
      low,
    ]),
  );
  const write = fc.constantFrom<(groups: number[]) => string>(
    (groups) => groups.map((each) => each.toString(16)).join(':'),
    (groups) => groups.map((each) => each.toString(16).padStart(4, '0').toUpperCase()).join(':'),
    (groups) => shortened(groups),
    (groups) => {
      const [high = 0, low = 0] = groups.slice(6);
      const head = groups.slice(0, 6).map((each) => each.toString(16));
      return `${head.join(':')}:${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`;
    },
  );
  return fc.tuple(embed, write).map(
    ([toGroups, toText]) =>
      ([a, b, c, d]) =>
        toText(toGroups((a << 8) | b, (c << 8) | d)),
  );
}

/** With the first run of zeros as "::", where there is one. */
function shortened(groups: number[]): string {
  const text = groups.map((each) => each.toString(16)).join(':');
  return text.replace(/(^|:)0(:0)+(:|$)/, '::');
}
