import fc from 'fast-check';
import { expect, it } from 'vitest';
import { binaryText } from '../../../test/binary-text.ts';
import { inertJson, inertText } from './inert.ts';
import { LARGEST_IMAGE, OMITTED, TOO_DEEP } from './page-data.ts';

const breakers = [
  '</script>',
  '<!--',
  ']]>',
  '&lt;',
  '\u2028',
  '\u2029',
  '\u0000',
  '\uD800',
  '\u202E',
  '"',
  "'",
  '\\',
  '__proto__',
];
const text = fc.oneof(
  binaryText(),
  fc.constantFrom(...breakers),
  fc.tuple(fc.string(), fc.constantFrom(...breakers)).map((pair) => pair.join('')),
);
/** Never a single backslash: after such a key, V8 13 (Node 24) parses `{"\\u2028": 1}` as `{"\\\\": 1}`. */
const key = text.filter((name) => name !== '\\');
const json = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.constantFrom(null, true, 0, 1e21, -0.5),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.array(fc.tuple(key, tie('any')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  ),
})).any;

it('inertJson() preserves every value, without using characters that are special in HTML', () => {
  fc.assert(
    fc.property(json, (value) => {
      const written = inertJson(value);
      for (const letter of '<>&\u2028\u2029\u0000') expect(written).not.toContain(letter);
      expect(JSON.stringify(JSON.parse(written))).toBe(JSON.stringify(value));
    }),
  );
});

it('inertText() escapes text for content and attributes', () => {
  fc.assert(
    fc.property(text, (value) => {
      const written = inertText(value);
      expect(written).not.toMatch(/[<>"']|&(?!#\d+;)/);
      expect(written.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))).toBe(value);
    }),
  );
});

it('inertJson() truncates deeply nested values', () => {
  let deep: unknown = 'bottom';
  for (let level = 0; level < 100_000; level += 1) deep = level % 2 ? [deep] : { deep };
  const written = inertJson(deep);
  expect(written).toContain(JSON.stringify(TOO_DEEP));
  expect(written).not.toContain('bottom');
});

it('inertJson() keeps raster images, but only the type and size of other media', () => {
  const media = (mimeType: string, data: string) => ({ inlineData: { mimeType, data, displayName: 'x' } });
  const through = (value: unknown) => JSON.parse(inertJson(value));
  const photo = media('image/png', 'iVBORw0KGgo=');
  expect(through(photo)).toEqual(photo);
  for (const [type, data] of [
    ['image/svg+xml', 'PHN2Zz4='],
    ['text/html', 'PHN2Zz4='],
    ['image/png', 'A'.repeat(LARGEST_IMAGE + 1)],
    ['image/png;x', 'AAAA'],
    ['image/png', 'not base64'],
    ['image/png', ''],
  ] as const) {
    const { inlineData } = through({ parts: [media(type, data)] }).parts[0];
    expect(inlineData).toEqual({ mimeType: type, displayName: 'x', [OMITTED]: Math.floor((data.length * 3) / 4) });
  }
  expect(through({ inline_data: { mime_type: 'audio/wav', data: 'AAAA' } })).toEqual({
    inline_data: { mime_type: 'audio/wav', [OMITTED]: 3 },
  });
  expect(through({ inlineData: { data: { left: 'alone' } } })).toEqual({ inlineData: { data: { left: 'alone' } } });
});
