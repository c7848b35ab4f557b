import type { Json } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { fillTemplate } from './template.ts';

describe('fillTemplate()', () => {
  const values: Record<string, unknown> = { list: [1, [2]], object: { a: 1 }, text: 'x', no: null };
  const lookup = (name: string) => values[name];

  it.each<[Json, Json | undefined]>([
    ['{{ text }}', 'x'],
    ['a {{text}} {{list}} {{no}}', 'a x [1,[2]] '],
    ['{{list}}', [1, [2]]],
    [
      ['{{list}}', '{{object}}', '{{no}}'],
      [1, [2], { a: 1 }],
    ],
    [
      { a: '{{no}}', b: '{{object}}', c: [['{{list}}']] },
      { b: { a: 1 }, c: [[1, [2]]] },
    ],
    ['{{no}}', undefined],
  ])('fills %j', (template, filled) => {
    expect(fillTemplate(template, lookup)).toStrictEqual(filled);
  });

  it('puts no value into the structure of the body, whatever the message', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (message) => {
        const filled = fillTemplate({ q: '{{message}}', more: 'say: {{message}}' }, () => message);
        expect(filled).toStrictEqual({ q: message, more: `say: ${message}` });
      }),
      { numRuns: runs(500) },
    );
  });

  it('leaves a template without placeholders as it is', () => {
    const plain = fc.jsonValue().filter((value) => !JSON.stringify(value).includes('{{'));
    fc.assert(
      fc.property(plain, (value) => {
        expect(JSON.stringify(fillTemplate(value as Json, () => 'x'))).toBe(JSON.stringify(value));
      }),
      { numRuns: runs(500) },
    );
  });
});
