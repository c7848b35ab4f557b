import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/runs.ts';
import { valueAt } from '../rows/value-at.ts';
import { fillTemplate, textOf } from './fill-template.ts';

const fill = (template: string, values: unknown, hasLogic = false) =>
  fillTemplate(template, { lookUp: (path) => valueAt(values, path), hasLogic });

describe('a template', () => {
  test.each([
    ['{{ item.question }}', 'Why?'],
    ['Q: {{item.question}} A:', 'Q: Why? A:'],
    ['{{ item.list[1] }}{{ item["a b"] }}{{ item[\'a b\'] }}', '2xx'],
    ['{{ item.list }}', '[1,2]'],
    ['{{ item.zero }}/{{ item.no }}', '0/false'],
    ['{ {x} } {{}} {{ a b }}', '{ {x} } {{}} {{ a b }}'],
  ])('%s is filled', (template, text) => {
    const item = { question: 'Why?', list: [1, 2], 'a b': 'x', zero: 0, no: false };
    expect(fill(template, { item })).toEqual({ text, missing: [] });
  });

  test('has its placeholders without a value filled with nothing, and lists them', () => {
    expect(fill('a{{ item.x }}b{{ y }}', { item: { x: null } })).toEqual({ text: 'ab', missing: ['item.x', 'y'] });
  });

  test('never reads what values inherit', () => {
    expect(fill('{{ constructor.name }}{{ item.__proto__ }}{{ item.toString }}', { item: {} })).toMatchObject({
      text: '',
      missing: ['constructor.name', 'item.__proto__', 'item.toString'],
    });
  });

  test.each(['{% if a %}x{% endif %}', '{{ a | upper }}', '{{ a + 1 }}', '{{ f() }}', '{{ a', '{{- a }}', '{# a'])(
    'with the logic %s cannot be filled',
    (template) => {
      expect(fill(template, { a: 1 }, true)).toHaveProperty('problem');
    },
  );

  test('has comments of Nunjucks removed', () => {
    expect(fill('a{# {{ b }} #}c {"d": {}}', {}, true)).toEqual({ text: 'ac {"d": {}}', missing: [] });
  });

  test('whose values multiply to more than fits in memory cannot be filled', () => {
    expect(fill('{{a}}'.repeat(20_000), { a: 'x'.repeat(10_000) })).toHaveProperty('problem');
  });

  test.each(['{{ x'.repeat(200_000), `${'{{'.repeat(200_000)}${' '.repeat(200_000)}}}`, '{# a'.repeat(200_000)])(
    'of many beginnings is read in one go',
    (template) => {
      expect(fill(template, {})).toEqual({ text: template, missing: [] });
      expect(fill(template, {}, true)).toHaveProperty('problem');
    },
  );

  test('has values filled in as they are, whatever they contain', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('{{ a }}', '$&', '{% x %}', '}}'), fc.integer(), fc.boolean());
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string().map(withoutBraces), value), { maxLength: 8 }), (pieces) => {
        const template = pieces.map(([text], index) => `${text}{{ v[${index}].x }}`).join('');
        const values = { v: pieces.map(([, x]) => ({ x })) };
        const text = pieces.map(([before, x]) => before + textOf(x)).join('');
        for (const hasLogic of [true, false]) expect(fill(template, values, hasLogic)).toEqual({ text, missing: [] });
      }),
      { numRuns: runs(1000) },
    );
  });

  test('without a placeholder is left as it is, and any text can be filled', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('{', '}', '%', '#', 'a', ' ', '.', '[') }), (template) => {
        const filled = fill(template, {});
        expect('text' in filled && (filled.text === template || filled.missing.length > 0)).toBe(true);
        fill(template, {}, true);
      }),
      { numRuns: runs(1000) },
    );
  });
});

function withoutBraces(text: string): string {
  return text.replace(/[{}]/g, '');
}
