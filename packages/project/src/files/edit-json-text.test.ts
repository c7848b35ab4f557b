import type { Json } from '@agent-criteria/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { editJsonText, keepsComments } from './edit-json-text.ts';
import { parseJsonText } from './parse-json-text.ts';

const COMMENTED = `{
    // Who wrote this wants it kept.
    "criteria": {
        "response_match_score": 0.5, // low on purpose
        "tool_trajectory_avg_score": { "threshold": 1, }, /* strict */
    },
    "mine": [1, 2], // last
}
`;

it('editJsonText edits only the differences, and keeps comments, trailing commas and layout', () => {
  const after = {
    criteria: {
      response_match_score: 0.8,
      tool_trajectory_avg_score: { threshold: 1, match_type: 'IN_ORDER' },
      other: 1,
    },
    mine: [1, 2],
  };
  expect(editJsonText(COMMENTED, after)).toBe(`{
    // Who wrote this wants it kept.
    "criteria": {
        "response_match_score": 0.8, // low on purpose
        "tool_trajectory_avg_score": {
            "threshold": 1,
            "match_type": "IN_ORDER",
        },
        "other": 1, /* strict */
    },
    "mine": [1, 2], // last
}
`);
  expect(editJsonText(COMMENTED, parseJsonText(COMMENTED).value as Json)).toBe(COMMENTED);
  expect(editJsonText('\ufeff{ "a": 1 } // one', { a: 2 })).toBe('\ufeff{ "a": 2 } // one');
});

it('editJsonText rewrites JSON with # comments, which are lost', () => {
  const text = '{\n  # a note\n  "a": 1\n}\n';
  expect([keepsComments(COMMENTED), keepsComments('{"a":1}'), keepsComments(text)]).toEqual([true, true, false]);
  expect(parseJsonText(editJsonText(text, { a: 2 })).value).toEqual({ a: 2 });
});

it('editJsonText writes the new value, whatever the layout of the JSON text', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  const layout = fc.constantFrom(undefined, 1, 2, 4, '\t');
  fc.assert(
    fc.property(objects, objects, layout, fc.boolean(), (before, more, space, ends) => {
      const after = { ...before, ...more } as Json;
      const written = JSON.stringify(before, null, space).replace('{', '{ // a note\n');
      const text = ends ? written.replaceAll('\n', '\r\n') : written;
      expect(parseJsonText(editJsonText(text, after)).value).toEqual(JSON.parse(JSON.stringify(after)));
    }),
    { numRuns: runs(2000) },
  );
});
