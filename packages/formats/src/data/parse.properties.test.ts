import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { runs } from '../../../../test/runs.ts';
import { zodModels } from '../../scripts/models.ts';
import { arbitraryEvalSet, arbitraryModel } from '../__fixtures__/arbitrary-model.ts';
import { CriteriaError } from '../errors.ts';
import type { Json } from '../json.ts';
import { readEvalData } from '../migration/read-eval-data.ts';
import { respell } from '../schema/respell.ts';
import { type ModelName, modelSchema } from './model-schema.ts';
import {
  type Parsed,
  parseConversationGenerationConfig,
  parseConversationScenarios,
  parseEvalConfig,
  parseEvalSet,
  parseEvalSetResult,
  parseSessionInput,
  writeConversationGenerationConfig,
  writeConversationScenarios,
  writeEvalConfig,
  writeEvalSet,
  writeEvalSetResult,
  writeSessionInput,
} from './parse.ts';

interface Format {
  readonly values: fc.Arbitrary<unknown>;
  parse(value: unknown): Parsed<unknown>;
  write(value: unknown): Json;
}

/** Pairs a parser with its writer. */
function format<T>(
  values: fc.Arbitrary<unknown>,
  parse: (value: unknown) => Parsed<T>,
  write: (value: T) => Json,
): Format {
  return { values, parse, write: (value) => write(value as T) };
}

const formats: Record<string, Format> = {
  'eval sets': format(arbitraryEvalSet(), parseEvalSet, writeEvalSet),
  'eval configs': format(arbitraryModel('EvalConfig', { extras: false }), parseEvalConfig, writeEvalConfig),
  results: format(arbitraryModel('EvalSetResult', { extras: true }), parseEvalSetResult, writeEvalSetResult),
  'session inputs': format(arbitraryModel('SessionInput', { extras: true }), parseSessionInput, writeSessionInput),
  'scenarios files': format(
    // Without this key, an unknown key could make it look like another kind of file.
    arbitraryModel('ConversationScenarios', { extras: true }).map((value) => ({ scenarios: [], ...Object(value) })),
    parseConversationScenarios,
    writeConversationScenarios,
  ),
  'user simulation configs': format(
    arbitraryModel('ConversationGenerationConfig', { extras: true }),
    parseConversationGenerationConfig,
    writeConversationGenerationConfig,
  ),
};

describe.each(Object.entries(formats))('%s', (_, { values, parse, write }) => {
  it('are unchanged after writing and reading', () => {
    fc.assert(
      fc.property(values, (value) => {
        const written = JSON.stringify(write(value));
        expect(parse(JSON.parse(written)).value).toEqual(JSON.parse(JSON.stringify(value)));
        expect(JSON.stringify(write(parse(JSON.parse(written)).value))).toBe(written);
      }),
    );
  });

  it('are read the same in either spelling, or in a mix of both', () => {
    fc.assert(
      fc.property(values, fc.infiniteStream(fc.boolean()), (value, choices) => {
        const mixed = mix(value, write(value), choices);
        expect(parse(mixed).value).toEqual(value);
      }),
    );
  });

  it('are not changed in place by reading or writing', () => {
    fc.assert(
      fc.property(values, (value) => {
        const before = JSON.stringify(value);
        parse(freeze(value));
        write(value);
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });

  it('with a __proto__ key at any depth are rejected', () => {
    fc.assert(
      fc.property(values, fc.nat(), (value, where) => {
        const written = write(value);
        const objects = objectsIn(written);
        Object.defineProperty(objects[where % objects.length], '__proto__', { value: 1, enumerable: true });
        expect(codesOf(() => parse(written))).toContain('UNSAFE_KEY');
      }),
    );
  });
});

it('every parser reads any JSON, or rejects it with a CriteriaError', () => {
  const json = fc.oneof(
    fc.jsonValue(),
    arbitraryEvalSet().map((set) => ({ ...set, eval_cases: 1 })),
    arbitraryModel('OldTurns', { extras: true }),
    arbitraryModel('OldCases', { extras: true }),
  );
  fc.assert(
    fc.property(json, (value) => {
      for (const { parse } of Object.values(formats)) codesOf(() => parse(value));
      codesOf(() => readEvalData(value));
    }),
  );
});

it('legacy turns migrate to an eval set that parseEvalSet() reads', () => {
  fc.assert(
    fc.property(arbitraryModel('OldTurns', { extras: false }), (turns) => {
      fc.pre(Array.isArray(turns) && turns.length > 0);
      const { value } = readEvalData(turns);
      expect(parseEvalSet(writeEvalSet(value))).toEqual({ value, warnings: [] });
    }),
  );
});

// Our own reader checks the types, because its messages are better; zod serves as the reference.
it.each(Object.keys(zodModels) as (keyof typeof zodModels & ModelName)[])(
  'respell() accepts the same values of %s as zod',
  (name) => {
    const wrong = fc.constantFrom<unknown>(null, true, 0, -1, 0.5, 7, '', 'skip', [], [null], {}, [[]], undefined);
    fc.assert(
      fc.property(arbitraryModel(name, { extras: false }), fc.nat(), wrong, (value, where, replacement) => {
        const changed = replaceOne(value, where, replacement);
        const ours = respell(changed, modelSchema(name)).problems;
        const theirs = z.safeParse<z.ZodMiniType>(zodModels[name], changed);
        expect({ changed, fits: ours.length === 0, ours }).toEqual({ changed, fits: theirs.success, ours });
      }),
      { numRuns: runs(300) },
    );
  },
);

function codesOf(call: () => unknown): readonly string[] {
  try {
    call();
    return [];
  } catch (error) {
    if (!CriteriaError.is(error)) throw error;
    return error.problems.map((problem) => problem.code);
  }
}

/** Mixes two values that differ only in the spelling of keys. */
function mix(camel: unknown, snake: unknown, choices: Iterator<boolean>): unknown {
  if (Array.isArray(camel)) return camel.map((item, index) => mix(item, (snake as unknown[])[index], choices));
  if (typeof camel !== 'object' || camel === null) return camel;
  const other = Object.entries(snake as object);
  return Object.fromEntries(
    Object.entries(camel).map(([key, item], index) => {
      const [otherKey, otherItem] = other[index] ?? [key, item];
      return [choices.next().value === true ? key : otherKey, mix(item, otherItem, choices)];
    }),
  );
}

function objectsIn(value: unknown): object[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value, ...inside];
}

function freeze(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(freeze);
  return value;
}

/** Returns a copy with one value replaced, or left out if the replacement is `undefined`. */
function replaceOne(value: unknown, where: number, replacement: unknown): unknown {
  const copy: unknown = structuredClone(value);
  const places: [object, string][] = [];
  const visit = (at: unknown) => {
    if (typeof at !== 'object' || at === null) return;
    for (const key of Object.keys(at)) {
      places.push([at, key]);
      visit((at as Record<string, unknown>)[key]);
    }
  };
  visit(copy);
  const place = places[where % Math.max(1, places.length)];
  if (!place) return copy;
  const [holder, key] = place;
  if (replacement !== undefined) Object.assign(holder, { [key]: replacement });
  else if (!Array.isArray(holder)) delete (holder as Record<string, unknown>)[key];
  return copy;
}
