import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import type { JsonSchema } from '../json.ts';
import { type RespellOptions, respell } from './respell.ts';

const judge = z.strictObject({
  judgeModel: z.exactOptional(z.string()),
  numSamples: z.exactOptional(z.int().check(z.gte(1))),
});
const options = z.strictObject({
  matchType: z.exactOptional(z.enum(['EXACT', 'IN_ORDER'])),
  judgeModelOptions: z.exactOptional(judge),
  labels: z.exactOptional(z.record(z.string(), z.strictObject({ shortName: z.string() }))),
  rules: z.exactOptional(
    z.array(
      z.discriminatedUnion('kind', [
        z.strictObject({ kind: z.literal('pattern'), toolName: z.string() }),
        z.strictObject({ kind: z.literal('number'), toolName: z.string(), maxError: z.number() }),
      ]),
    ),
  ),
  anything: z.exactOptional(z.unknown()),
});
const schema = z.toJSONSchema(options, { io: 'input' }) as JsonSchema;

const read = (value: unknown, more: RespellOptions = {}) => respell(value, schema, more);
const messages = (value: unknown, more?: RespellOptions) =>
  read(value, more).problems.map((p) => `${p.path}: ${p.message}`);

describe('respell()', () => {
  const camel = {
    matchType: 'EXACT',
    labels: { my_key: { shortName: 'a' }, myKey: { shortName: 'b' } },
    anything: { some_key: [{ otherKey: 1 }] },
    judgeModelOptions: { judgeModel: 'm', numSamples: 3 },
  };
  const snake = {
    match_type: 'EXACT',
    labels: { my_key: { short_name: 'a' }, myKey: { short_name: 'b' } },
    anything: { some_key: [{ otherKey: 1 }] },
    judge_model_options: { judge_model: 'm', num_samples: 3 },
  };

  it('reads both spellings and returns one, but preserves keys in maps and opaque values', () => {
    for (const value of [camel, snake]) {
      expect(read(value)).toEqual({ value: camel, problems: [], warnings: [] });
      expect(read(value, { spelling: 'snake' })).toEqual({ value: snake, problems: [], warnings: [] });
    }
  });

  it('preserves key order', () => {
    expect(JSON.stringify(read(snake).value)).toBe(JSON.stringify(camel));
  });

  it('rejects a key that occurs in both spellings', () => {
    const value = { judge_model_options: { judgeModel: 'a', num_samples: 1, judge_model: 'b' } };
    expect(read(value).problems).toEqual([
      {
        code: 'KEY_SPELT_TWICE',
        path: '$.judge_model_options.judge_model',
        message: '"judgeModel" and "judge_model" are two spellings of one key; keep one of them',
      },
    ]);
  });

  it('prefers the exact name if a schema has both spellings', () => {
    const both = z.toJSONSchema(z.strictObject({ aB: z.number(), a_b: z.string() })) as JsonSchema;
    expect(respell({ a_b: 'x', aB: 1 }, both)).toEqual({ value: { a_b: 'x', aB: 1 }, problems: [], warnings: [] });
  });

  it("uses the schema's spelling, even if it is snake_case", () => {
    const own: JsonSchema = { type: 'object', properties: { max_words: { type: 'number' } }, required: ['max_words'] };
    for (const value of [{ maxWords: 1 }, { max_words: 1 }]) {
      expect(respell(value, own)).toEqual({ value: { max_words: 1 }, problems: [], warnings: [] });
    }
  });
});

describe('respell() of a value that does not match', () => {
  it('reports all problems, with paths in the spelling of the value', () => {
    const value = {
      match_type: 'EXAKT',
      judge_model_options: { num_samples: 0, judgeModel: ['x'] },
      labels: [],
      rules: [{ kind: 'number', tool_name: 'a', max_error: 'abc' }, { kind: 'pattern' }, 7],
    };
    expect(messages(value)).toEqual([
      '$.match_type: expected one of "EXACT" and "IN_ORDER", found the text "EXAKT"; did you mean "EXACT"?',
      '$.judge_model_options.num_samples: expected a whole number at least 1, found the number 0',
      '$.judge_model_options.judgeModel: expected text, found a list of 1',
      '$.labels: expected an object, found an empty list',
      '$.rules[0].max_error: expected a number, found the text "abc"',
      '$.rules[1]: "tool_name" is missing (text)',
      '$.rules[2]: expected an object, found the number 7',
    ]);
  });

  it.each([
    [null, 'null'],
    [true, 'true'],
    [Number.NaN, 'NaN'],
    ['', 'an empty text'],
    [[1, 2], 'a list of 2'],
    [new Map(), 'a Map'],
    [() => 1, 'a function'],
    [1n, 'a bigint'],
  ])('describes %s', (value, words) => {
    expect(messages(value)).toEqual([`$: expected an object, found ${words}`]);
  });

  it('uses the given path, file and code', () => {
    const where = { path: '$.criteria.x', file: 'a.json', code: 'INVALID_OPTION' } as const;
    expect(read({ matchType: 3 }, where).problems).toEqual([
      {
        code: 'INVALID_OPTION',
        file: 'a.json',
        path: '$.criteria.x.matchType',
        message: 'expected one of "EXACT" and "IN_ORDER", found the number 3',
      },
    ]);
  });

  it('lists fifty problems and the number of further problems', () => {
    const rules = Array.from({ length: 80 }, () => 1);
    const { problems } = read({ rules });
    expect(problems).toHaveLength(51);
    expect(problems.at(-1)?.message).toBe('and 30 more, which are not listed');
  });

  it('rejects a number that is too large, and names the limit', () => {
    expect(messages({ anything: { deep: [JSON.parse('-1e400')] } })).toEqual([
      '$.anything.deep[0]: -Infinity is not JSON; a number is at most about 1.8e308, so write it as text',
    ]);
  });

  it.each([Number.NaN, new Date(0), new Set(), () => 1, 1n, Symbol('s')])(
    'rejects %s inside an opaque value, because it is not JSON',
    (value) => {
      expect(messages({ anything: { deep: [value] } })).toEqual([
        expect.stringMatching(/^\$\.anything\.deep\[0\]: .* is not JSON$/),
      ]);
    },
  );

  it('treats an undefined value as absent', () => {
    expect(read({ matchType: undefined, anything: { a: undefined, b: 1 } }).value).toEqual({ anything: { b: 1 } });
  });
});

describe('unknown keys', () => {
  it('are errors with a suggestion in the spelling of the key', () => {
    expect(
      messages({ match_typ: 'EXACT', judgeModelOption: {}, labels: { a: { shortName: '', long_name: '' } } }),
    ).toEqual([
      '$.labels.a.long_name: unknown key "long_name"; known are shortName',
      '$.match_typ: unknown key "match_typ"; did you mean "match_type"?',
      '$.judgeModelOption: unknown key "judgeModelOption"; did you mean "judgeModelOptions"?',
    ]);
  });

  it('at the top level are also compared with alsoKnown', () => {
    const value = { treshold: 1, judge_model_options: { treshold: 1 } };
    expect(messages(value, { alsoKnown: ['threshold'] })).toEqual([
      '$.judge_model_options.treshold: unknown key "treshold"; known are judge_model and num_samples',
      '$.treshold: unknown key "treshold"; did you mean "threshold"?',
    ]);
  });

  it('that resemble a missing key are reported as one problem with it', () => {
    expect(messages({ labels: { a: { shortNmae: 'x' } } })).toEqual([
      '$.labels.a: "shortName" is missing; is "shortNmae" a misspelling of it?',
    ]);
  });

  it.each([
    [
      z.strictObject({ a: z.exactOptional(z.number()) }),
      'unknown key "b", kept, but ADK rejects files that contain it',
    ],
    [z.object({ a: z.exactOptional(z.number()) }), 'unknown key "b", kept, but ADK drops it'],
  ])('are kept with a warning if requested', (object, message) => {
    const result = respell({ b: { c_d: 1 }, a: 1 }, z.toJSONSchema(object, { io: 'input' }) as JsonSchema, {
      unknownKeys: 'keep',
    });
    expect(result.value).toEqual({ b: { c_d: 1 }, a: 1 });
    expect(result.warnings).toEqual([{ code: 'UNKNOWN_KEY', path: '$.b', message }]);
  });

  it('that are allowed cause no warning, unless they look like misspellings', () => {
    const open = z.toJSONSchema(z.looseObject({ finalState: z.exactOptional(z.unknown()) }), {
      io: 'input',
    }) as JsonSchema;
    const value = { owner: 1, final_stat: {} };
    expect(respell(value, open, { unknownKeys: 'keep' })).toEqual({
      value,
      problems: [],
      warnings: [
        {
          code: 'UNKNOWN_KEY',
          path: '$.final_stat',
          message: 'unknown key "final_stat", kept as it is; did you mean "final_state"?',
        },
      ],
    });
    expect(respell(value, open)).toEqual({ value, problems: [], warnings: [] });
  });

  it('get no suggestions if there are more than 100, as in a map', () => {
    const open = z.toJSONSchema(z.looseObject({ finalState: z.exactOptional(z.unknown()) }), {
      io: 'input',
    }) as JsonSchema;
    const value = Object.fromEntries(Array.from({ length: 101 }, (_, index) => [`final_stat${index}`, index]));
    expect(respell(value, open, { unknownKeys: 'keep' }).warnings).toEqual([]);
  });

  it('are left out with a warning if requested', () => {
    expect(read({ extra: 1, matchType: 'EXACT' }, { unknownKeys: 'drop' })).toEqual({
      value: { matchType: 'EXACT' },
      problems: [],
      warnings: [{ code: 'UNKNOWN_KEY', path: '$.extra', message: 'unknown key "extra", left out' }],
    });
  });
});

describe('unions', () => {
  const forms = z.toJSONSchema(
    z.nullable(
      z.union([
        z.strictObject({ toolUses: z.exactOptional(z.array(z.string())) }),
        z.strictObject({ invocationEvents: z.exactOptional(z.array(z.number())) }),
        z.string(),
      ]),
    ),
  ) as JsonSchema;

  it.each([
    [{}, {}],
    [{ invocation_events: [1] }, { invocationEvents: [1] }],
    [{ tool_uses: [] }, { toolUses: [] }],
    [null, null],
    ['x', 'x'],
  ])('are resolved for %j by its keys or type', (value, expected) => {
    expect(respell(value, forms)).toEqual({ value: expected, problems: [], warnings: [] });
  });

  it('report problems of the intended alternative', () => {
    const found = respell({ invocation_events: ['1'] }, forms).problems;
    expect(found).toEqual([
      { code: 'INVALID_DATA', path: '$.invocation_events[0]', message: 'expected a number, found the text "1"' },
    ]);
    expect(respell(1, forms).problems[0]?.message).toBe('expected an object, text or null, found the number 1');
  });

  it('reject a mix of two alternatives, regardless of the option for unknown keys', () => {
    for (const unknownKeys of ['error', 'keep', 'drop'] as const) {
      expect(respell({ tool_uses: [], invocation_events: [] }, forms, { unknownKeys }).problems).toEqual([
        {
          code: 'INVALID_DATA',
          path: '$.invocation_events',
          message:
            '"invocation_events" cannot be combined with "tool_uses": they belong to different forms; keep one of them',
        },
      ]);
    }
  });
});

it('an enum value selects the alternative of a union, even if other keys belong to another one', () => {
  expect(messages({ rules: [{ kind: 'pattern', tool_name: 'a', max_error: 1 }] })).toEqual([
    '$.rules[0].max_error: "max_error" does not go with "kind": "pattern"; remove one of them',
  ]);
});

describe('plugin schemas', () => {
  it('can refer to themselves', () => {
    const tree: JsonSchema = {
      type: 'object',
      properties: { leftChild: { $ref: '#' }, rightChild: { anyOf: [{ $ref: '#/$defs/none' }, { $ref: '#' }] } },
      additionalProperties: false,
      $defs: { none: { type: 'null' } },
    };
    expect(respell({ left_child: { right_child: null, leftChild: {} } }, tree)).toEqual({
      value: { leftChild: { rightChild: null, leftChild: {} } },
      problems: [],
      warnings: [],
    });
    expect(respell({ left_child: { right_child: { x: 1 } } }, tree).problems[0]?.path).toBe(
      '$.left_child.right_child.x',
    );
  });

  it.each<JsonSchema>([
    { $ref: '#/$defs/missing' },
    { $ref: 'https://elsewhere.example/schema.json' },
    { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
    { allOf: [{ type: 'object', properties: { a: { type: 'number' } } }] },
    { patternProperties: { '^x': { type: 'number' } }, properties: { aB: {} } },
    { not: { type: 'string' } },
    {},
  ])('with unsupported keywords are left to their own validator: %j', (other) => {
    const value = { any_key: 1, xyz: [null] };
    expect(respell(value, other)).toEqual({ value, problems: [], warnings: [] });
  });

  it('that only refer to themselves reject every value', () => {
    expect(respell(1, { anyOf: [{ $ref: '#' }] }).problems).toHaveLength(1);
  });
});

describe('hostile values', () => {
  it('with a __proto__ key at any depth are rejected, and do not change a prototype', () => {
    const value = JSON.parse(
      '{"labels":{"__proto__":{"shortName":"x"}},"anything":[{"a":{"__proto__":{"polluted":1}}}],"__proto__":1}',
    );
    expect(read(value).problems.map(({ code, path }) => [code, path])).toEqual([
      ['UNSAFE_KEY', '$.labels.__proto__'],
      ['UNSAFE_KEY', '$.anything[0].a.__proto__'],
      ['UNSAFE_KEY', '$.__proto__'],
    ]);
    expect('polluted' in {}).toBe(false);
  });

  it('may have keys named like inherited properties', () => {
    const value = { anything: { constructor: 1, prototype: 2, toString: 3, hasOwnProperty: 4 } };
    expect(read(value)).toEqual({ value, problems: [], warnings: [] });
    expect(messages({ toString: 1 })[0]).toMatch(/^\$\.toString: unknown key "toString"/);
  });

  it.each([
    ['a deep list', () => Array.from({ length: 50_000 }).reduce<unknown>((inner) => [inner], 1)],
    ['a deep object', () => Array.from({ length: 50_000 }).reduce<unknown>((inner) => ({ inner }), 1)],
    [
      'an object that contains itself',
      () => {
        const self: Record<string, unknown> = {};
        self.self = self;
        return self;
      },
    ],
  ])('are rejected if they are %s', (_, make) => {
    const { problems } = read({ anything: make() });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toBe('nested deeper than 200 levels');
    expect(problems[0]?.path?.length).toBeLessThan(200);
  });

  it('are never changed or shared, and never make respell() throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('error', 'keep', 'drop' as const), (json, unknownKeys) => {
        const value: unknown = deepFreeze({ anything: json, labels: json, rules: json, ...(Object(json) as object) });
        const before = JSON.stringify(value);
        const result = read(value, { unknownKeys: unknownKeys as 'keep' });
        expect(JSON.stringify(value)).toBe(before);
        if (result.problems.length === 0 && unknownKeys === 'keep') expect(result.value).toEqual(value);
      }),
    );
    const inner = { a: 1 };
    const out = read({ anything: inner }).value as { anything: object };
    expect(out.anything).not.toBe(inner);
  });
});

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}
