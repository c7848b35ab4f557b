import { CriteriaError } from '@agent-criteria/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../../test/binary-text.ts';
import { parseJsonText } from './parse-json-text.ts';

function faultIn(text: string): string {
  try {
    parseJsonText(text, 'set.json');
  } catch (error) {
    if (CriteriaError.is(error) && error.code === 'NOT_JSON') return error.message;
    throw error;
  }
  throw new Error('it was read');
}

describe('parseJsonText', () => {
  it('parses any JSON like JSON.parse', () => {
    const anything = fc.jsonValue({ maxDepth: 4, stringUnit: codePoint });
    fc.assert(
      fc.property(anything, fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const text = JSON.stringify(value, null, space);
        // Compared as text, because deep comparisons of a hundred large values take seconds.
        const plain = JSON.stringify(JSON.parse(text));
        expect(JSON.stringify(parseJsonText(text).value)).toBe(plain);
        expect(JSON.stringify(parseJsonText(`// why\n${text} /* so */`).value)).toBe(plain);
      }),
    );
  });

  it('throws only CriteriaError, whatever the text contains', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      "'",
      '\\',
      '//',
      '/*',
      '*/',
      'a',
      '1',
      '\n',
      'null',
      '"a"',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((list) => list.join('')),
        ),
        (text) => {
          try {
            parseJsonText(text);
          } catch (error) {
            if (!CriteriaError.is(error)) throw error;
          }
        },
      ),
    );
  });

  it('removes only trailing commas', () => {
    const words = fc.stringMatching(/^[ ,}\]{[/"\\a]{0,8}$/);
    fc.assert(
      fc.property(fc.array(fc.array(words)), (lists) => {
        const trailing = `[${lists.map((list) => `[${list.map((word) => `${JSON.stringify(word)} , `).join('')}],`).join('\n')}]`;
        expect(parseJsonText(trailing).value).toEqual(lists);
      }),
    );
    for (const text of ['[,]', '{,}', '[1,,]', '{"a":,}', '[,1]'])
      expect(() => parseJsonText(text)).toThrow('not JSON');
  });

  it('ignores # comments, and preserves # inside strings', () => {
    const text = '# why\n{\n  "a": "#1, // no", # "so"\n  "b": [1, # one\n 2], /* # */ // # \n}\n#';
    expect(parseJsonText(text).value).toEqual({ a: '#1, // no', b: [1, 2] });
    expect(faultIn('# why\n{ "a": 1 # one\n  "b": 2 }')).toContain('line 3, column 3: a comma is missing');
  });

  it('warns of comments and trailing commas, which Python does not accept', () => {
    const read = parseJsonText('{ // name\n "url": "http://x,}", /* ] */ "list": [1, 2, ], }', 'set.json');
    expect(read.value).toEqual({ url: 'http://x,}', list: [1, 2] });
    expect(read.warnings).toEqual([
      expect.objectContaining({ file: 'set.json', message: expect.stringContaining('ADK Python does not') }),
    ]);
    expect(parseJsonText('{"a": "// no comment, }"}').warnings).toEqual([]);
  });

  it('ignores a byte order mark', () => {
    expect(parseJsonText('\ufeff{"a": 1}').value).toEqual({ a: 1 });
  });

  it('keeps "__proto__" as an own key, even with comments', () => {
    for (const text of ['{"__proto__": {"x": 1}}', '{"__proto__": {"x": 1},}']) {
      const { value } = parseJsonText(text);
      expect(Object.keys(value as object)).toEqual(['__proto__']);
      expect((value as { x?: unknown }).x).toBeUndefined();
    }
  });

  it.each([
    ['"a": 12345678901234567890', '$.a', '12345678901234567890'],
    ['"a": [{"b c": -9007199254740993}]', '$.a[0]["b c"]', '-9007199254740993'],
    [`"a": ${'9'.repeat(400)}`, '$.a', `${'9'.repeat(39)}…`],
  ])('warns of an integer that a JavaScript number cannot represent: %s', (text, path, shown) => {
    for (const whole of [`{${text}}`, `{${text},}`]) {
      const warning = parseJsonText(whole, 'set.json').warnings.find(({ code }) => code === 'UNSAFE_INTEGER');
      expect(warning).toMatchObject({ path, file: 'set.json' });
      expect(warning?.message).toContain(`the integer ${shown} is beyond 2^53`);
    }
  });

  it.each(['9007199254740991', '-9007199254740991', '1e300', '0.12345678901234567', '"12345678901234567890"'])(
    'accepts %s without a warning',
    (text) => {
      expect(parseJsonText(`[${text}]`).warnings).toEqual([]);
    },
  );

  it.each([
    ["{'a': 1}", "line 1, column 2: ' is not a JSON quote"],
    ['{"a": \'x\'}', "line 1, column 7: ' is not a JSON quote"],
    ['{“a”: 1}', 'line 1, column 2: “ is not a JSON quote'],
    ['{\n  "a": True\n}', 'line 2, column 8: True is Python; JSON writes true'],
    ['{"a": None}', 'column 7: None is Python; JSON writes null'],
    ['{"a": False}', 'column 7: False is Python; JSON writes false'],
    ['[NaN]', 'column 2: NaN is not a JSON value'],
    ['[-Infinity]', 'column 2: -Infinity is not a JSON value'],
    ['[undefined]', 'column 2: undefined is not a JSON value'],
    ['[constructor]', 'column 2: constructor is not a JSON value; does it need double quotes?'],
    ['{"a": 1 "b": 2}', 'column 9: a comma is missing before this'],
    ['{"a": 1\r\n"b": 2}', 'line 2, column 1: a comma is missing before this'],
    ['[1 2]', 'column 4: a comma is missing before this'],
    ['{"a" 1}', 'column 6: a colon is missing'],
    ['{a: 1}', 'column 2: the key a needs double quotes'],
    ['{"a": 1, b: 2}', 'column 10: the key b needs double quotes'],
    ['{"a": [1, 2}', 'column 12: a closing ] is missing before this'],
    ['{"a": {"b": 1]', 'column 14: a closing } is missing before this'],
    ['{"a": 1', 'column 8: the file ends too early'],
    ['{"a": [1, 2', 'column 12: the file ends too early'],
    ['[[[[', 'column 5: the file ends too early'],
    ['{"a": "x', 'column 7: a string does not end on its line'],
    ['{"a": "x\ny"}', 'line 1, column 7: a string does not end on its line'],
    ['{"a": "x\ty"}', 'column 7: a string contains a control character'],
    ['{"a": "C:\\x"}', 'column 7: a backslash is followed by an invalid character'],
    ['{"a": "\\u12"}', 'column 7: a backslash is followed by an invalid character'],
    ['{"a": 1}}', 'column 9: an extra closing }'],
    ['{} {}', 'column 4: the file continues after the value ends'],
    ['{"a": }', 'column 7: a value is expected here'],
    ['{"a":1,,}', 'column 8: a key in double quotes is expected here'],
    ['[01]', 'column 3: this is not a JSON number'],
    ['[.5]', 'column 2: this is not a JSON number'],
    ['[1.]', 'column 2: this is not a JSON number'],
    ['[+1]', 'column 2: this is not a JSON number'],
    ['[0x10]', 'column 3: this is not a JSON number'],
    ['[1_000]', 'column 3: this is not a JSON number'],
    ['{\u00a0"a": 1}', 'column 2: there is an invisible character here'],
    ['/* open', 'column 1: a comment is not closed'],
    ['{"a": 1;}', 'column 8: ; is not allowed here'],
    ['\u0000', 'column 1: a control character is not allowed here'],
    ['', 'the file is empty'],
    [' \n\t', 'the file is empty'],
    ['hello', 'hello is not a JSON value'],
  ])('reports the location and the cause of the error in %j', (text, told) => {
    expect(faultIn(text)).toContain('set.json: this is not JSON: ');
    expect(faultIn(text)).toContain(told);
  });

  it('parses 100,000 nested brackets with a large integer inside, and rejects unclosed ones', () => {
    const depth = 100_000;
    const deep = `${'['.repeat(depth)}12345678901234567890${']'.repeat(depth)}`;
    expect(Array.isArray(parseJsonText(deep).value)).toBe(true);
    expect(Array.isArray(parseJsonText(`// deep\n${deep}`).value)).toBe(true);
    expect(faultIn('['.repeat(depth))).toContain('is nested too deeply');
    expect(faultIn('{"a":'.repeat(depth))).toContain('is nested too deeply');
  });

  it.each([
    ['quotes', "'"],
    ['unclosed comments', '/*'],
    ['commas', ', '],
    ['backslashes', '"\\'],
    ['mismatched brackets', '[}'],
  ])('stops at the first of a hundred thousand %s', (_name, piece) => {
    expect(faultIn(`[${piece.repeat(100_000)}`)).toContain('not JSON');
  });
});

describe('parseJsonText with a duplicate key', () => {
  it('rejects duplicates within one object, giving their path', () => {
    expect(() => parseJsonText('{"a": [{"b": 1, "c": 2, "b": 3}]}')).toThrow('the key "b" appears twice');
    expect(() => parseJsonText('{ // commented\n "a": 1, "a": 2, }')).toThrow('the key "a" appears twice');
    expect(() => parseJsonText('{"a": [{"b": 1, "b": 3}]}')).toThrow('$.a[0].b');
  });

  it('accepts the same key in different objects', () => {
    expect(parseJsonText('{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}').warnings).toEqual([]);
  });
});
