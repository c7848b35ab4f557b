import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cpuTime } from '../../../test/cpu-time.ts';
import { parseTemplate, renderTemplate } from './template.ts';

const known = ['plan', 'history'];
const problemsOf = (text: string) => parseTemplate(text, known).problems;
const render = (text: string, values: Readonly<Record<string, string>>) =>
  renderTemplate(parseTemplate(text, known), values);

describe('a template', () => {
  it('is filled in without its comments', () => {
    expect(render('{# {{ plan }} #}A {{plan}} {{  history\n}} { } }} %}', { plan: 'P', history: 'H' })).toBe(
      'A P H { } }} %}',
    );
  });

  it('does not parse the inserted values', () => {
    const values = { plan: '{{ history }}{% evil %}$&$1', history: '{{ plan }}' };
    expect(render('{{ plan }}|{{ history }}', values)).toBe(`${values.plan}|${values.history}`);
  });

  it('preserves any text without marks, and inserts any values', () => {
    const plain = fc.string().filter((text) => !/\{[{%#]/.test(`${text}{`) && !text.endsWith('{'));
    fc.assert(
      fc.property(plain, plain, fc.string(), fc.string(), (before, between, plan, history) => {
        const text = `${before}{{ plan }}${between}{{history}}`;
        fc.pre(problemsOf(text).length === 0);
        expect(render(text, { plan, history })).toBe(before + plan + between + history);
      }),
    );
  });

  it.each([
    ['an unknown name', '{{ Plan }}', 'line 1: unknown placeholder {{ Plan }}; did you mean "plan"?'],
    ['a property of every object', '{{ constructor }}', 'unknown placeholder {{ constructor }}'],
    ['a filter', 'x\ny {{ plan | upper }}', 'line 2: {{ plan | upper }} is an expression'],
    ['an attribute', '{{ plan.__class__ }}', 'is an expression'],
    ['an expression', '{{ 7 * 7 }}', 'is an expression'],
    ['no name', '{{ }}', 'is an expression'],
    ['a statement', "{% set plan = 'bye' %}", "{% set plan = 'bye' %} cannot be"],
    ['an open name', '{{ plan', '"{{" is never closed by "}}"'],
    ['an open comment', 'a {# b', '"{#" is never closed by "#}"'],
    ['an open statement', '{% if', '"{%" is never closed by "%}"'],
  ])('rejects %s', (_what, text, message) => {
    expect(problemsOf(text).join('\n')).toContain(message);
  });

  it('lists its placeholders, except those in comments', () => {
    const { names } = parseTemplate('{# {{ plan }} #}{{ history }}', known);
    expect([...names]).toEqual(['history']);
  });

  it('is parsed in linear time with a bounded number of problems', () => {
    const taken = cpuTime();
    for (const text of [
      '{{'.repeat(500_000),
      '{% x %}'.repeat(200_000),
      '{{ plan }}'.repeat(100_000),
      '{# '.repeat(9e5),
    ]) {
      expect(problemsOf(text).length).toBeLessThan(6);
    }
    expect(render('{{ plan }}\n'.repeat(100_000), { plan: '' })).toBe('\n'.repeat(100_000));
    expect(taken()).toBeLessThan(5000);
  });
});
