import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../test/runs.ts';
import { repeatedKey } from './json-answer.ts';

it.each([
  ['{"a":1,"a":2}', { key: 'a', path: '$' }],
  ['{"a":1, "\\u0061" : 2}', { key: 'a', path: '$' }],
  ['[{"a":{"b":[1,{"x":1},{"c d":{"":1,"":2}}]}}]', { key: '', path: '$[0].a.b[2]["c d"]' }],
  ['{"a":{"b":1},"c":[{"b":1},{"b":"a","d":["a","a"]}],"b":"b"}', null],
  ['{"a":"}, \\"a\\": 1, {","b":"\\\\"}', null],
  ['"a"', null],
  ['[]', null],
])('%s', (json, found) => {
  JSON.parse(json);
  expect(repeatedKey(json)).toEqual(found);
});

it('repeatedKey() finds every key that is written twice, and nothing in the output of JSON.stringify', () => {
  const object = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 });
  fc.assert(
    fc.property(fc.jsonValue(), object, fc.constantFrom(undefined, 2, '\t'), (around, twice, space) => {
      const inside = JSON.stringify({ around, twice }, null, space);
      expect(repeatedKey(inside)).toBeNull();
      const [[key, value] = ['', null]] = Object.entries(twice);
      const more = `,${JSON.stringify(key)}:${JSON.stringify(value)}}`;
      const text = JSON.stringify([around, { twice }], null, space).replace(/\}\s*\}\s*\]$/, () => `${more}}]`);
      JSON.parse(text);
      expect(repeatedKey(text)).toEqual({ key, path: '$[1].twice' });
    }),
    { numRuns: runs(2000) },
  );
});
