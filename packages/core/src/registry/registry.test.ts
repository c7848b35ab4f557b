import { CriteriaError } from '@agent-criteria/formats';
import { describe, expect, it } from 'vitest';
import type { Criterion } from '../contracts/criterion.ts';
import type { Plugin } from '../contracts/plugin.ts';
import { defineCriterion } from '../define-criterion.ts';
import { noOptions, optionsSchema } from '../options-schema.ts';
import { createRegistry, defaultRegistry, registerPlugin } from './registry.ts';

function criterion(more: Partial<Criterion> & { version?: string; from?: string } = {}): Criterion {
  const { version = '1.0.0', from = 'some-package', ...rest } = more;
  return {
    ...defineCriterion({
      name: 'some_criterion',
      origin: { package: from, version },
      description: 'for these tests only',
      decides: true,
      range: { min: 0, max: 1, better: 'higher' },
      options: noOptions,
      scope: 'turn',
      evaluate: () => ({ value: 1 }),
    }),
    ...rest,
  } as Criterion;
}

function codeOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    return CriteriaError.is(error) ? error.code : `not ours: ${String(error)}`;
  }
  return undefined;
}

/** A criterion as `defineCriterion` returned it while criteria still had `gates`. */
const builtWithGates: unknown = {
  kind: 'criterion',
  specVersion: 1,
  name: 'older_criterion',
  origin: { package: 'criteria-older', version: '1.2.3' },
  description: 'for these tests only',
  gates: true,
  range: { min: 0, max: 1, better: 'higher' },
  options: noOptions,
  scope: 'turn',
  evaluate: () => ({ value: 1 }),
};

describe('a registry', () => {
  it('finds registered plugins by kind and name', () => {
    const one = criterion();
    const registry = createRegistry([one]);
    expect(registry.get('criterion', 'some_criterion')).toBe(one);
    expect(registry.get('user-simulator', 'some_criterion')).toBeUndefined();
    expect(registry.list('criterion')).toEqual([one]);
    expect(registry.get('criterion', '__proto__')).toBeUndefined();
  });

  it.each([
    ['1.0.0', '1.0.1', true],
    ['1.0.0', '1.0.0', true],
    ['1.10.0', '1.9.0', false],
    ['2.0.0', '2.0.0-beta.1', false],
  ])('registering version %s and then %s of one package replaces the first: %s', (first, second, replaces) => {
    const [a, b] = [criterion({ version: first }), criterion({ version: second })];
    expect(createRegistry([a, b]).get('criterion', 'some_criterion')).toBe(replaces ? b : a);
  });

  it('rejects a name that another package has registered, naming both', () => {
    const work = () => createRegistry([criterion(), criterion({ from: 'other-package', version: '3.2.1' })]);
    expect(codeOf(work)).toBe('DUPLICATE_PLUGIN');
    expect(work).toThrow(/some-package 1\.0\.0 and other-package 3\.2\.1/);
  });

  it('freeze() returns a copy that ignores later registrations', () => {
    const registry = createRegistry();
    const frozen = registry.freeze();
    registry.register(criterion());
    expect(frozen.list('criterion')).toEqual([]);
    expect(codeOf(() => frozen.register(criterion()))).toBe('REGISTRY_FROZEN');
  });

  it('explains what changed and what to do when a criterion was built for the older contract', () => {
    const work = () => createRegistry([builtWithGates as Plugin]);
    expect(codeOf(work)).toBe('UNSUPPORTED_SPEC_VERSION');
    expect(work).toThrow(/"older_criterion" of criteria-older 1\.2\.3 was built for version 1 .* needs version 3/);
    expect(work).toThrow(/`gates` is now `decides`/);
    expect(work).toThrow(/Install a newer version of criteria-older/);
  });

  it('names the new form of a method when a plugin was built for version 2', () => {
    const before: unknown = { ...criterion(), specVersion: 2 };
    expect(codeOf(() => createRegistry([before as Plugin]))).toBe('UNSUPPORTED_SPEC_VERSION');
    expect(() => createRegistry([before as Plugin])).toThrow(
      /was built for version 2 .* is now `evaluate\(turn, \{ options, tools, transcript \}\)`/,
    );
    const adapter: unknown = { ...criterion(), kind: 'agent-adapter', specVersion: 2 };
    expect(() => createRegistry([adapter as Plugin])).toThrow(
      /is now `send\(message, \{ onEvent, signal, streaming \}\)`/,
    );
  });

  it('rejects a plugin for an older contract even if an older copy of core registered it', () => {
    const slot = Symbol.for('@agent-criteria/core/registry/v1');
    defaultRegistry();
    const shared = (globalThis as { [slot]?: Map<string, unknown> })[slot];
    shared?.set('criterion:older_criterion', builtWithGates);
    try {
      const frozen = defaultRegistry().freeze();
      expect(codeOf(() => frozen.get('criterion', 'older_criterion'))).toBe('UNSUPPORTED_SPEC_VERSION');
      expect(codeOf(() => frozen.list('criterion'))).toBe('UNSUPPORTED_SPEC_VERSION');
    } finally {
      shared?.delete('criterion:older_criterion');
    }
  });

  it('names the new key when a criterion still has the old one', () => {
    const halfRenamed: unknown = { ...criterion(), gates: true, decides: undefined };
    expect(() => createRegistry([halfRenamed as Plugin])).toThrow(
      /"some_criterion" .*`decides: true` or `decides: false`.*`gates` is now `decides`/,
    );
  });

  const broken: readonly [string, unknown, string][] = [
    ['no object', 'response_match_score', 'INVALID_PLUGIN'],
    ['an unknown kind', { ...criterion(), kind: 'metric' }, 'INVALID_PLUGIN'],
    ['no name', criterion({ name: '' }), 'INVALID_PLUGIN'],
    ['a newer contract version', { ...criterion(), specVersion: 4 }, 'UNSUPPORTED_SPEC_VERSION'],
    ['no origin', { ...criterion(), origin: undefined }, 'INVALID_PLUGIN'],
    ['a version that is none', criterion({ version: 'latest' }), 'INVALID_PLUGIN'],
    ['an empty range', criterion({ range: { min: 1, max: 1, better: 'higher' } }), 'INVALID_PLUGIN'],
    [
      'an endless lower end',
      criterion({ range: { min: Number.NEGATIVE_INFINITY, max: 1, better: 'higher' } }),
      'INVALID_PLUGIN',
    ],
    ['no direction', { ...criterion(), range: { min: 0, max: 1 } }, 'INVALID_PLUGIN'],
    ['no scope', { ...criterion(), scope: 'case' }, 'INVALID_PLUGIN'],
    ['nothing to evaluate with', { ...criterion(), evaluate: undefined }, 'INVALID_PLUGIN'],
    ['no word on whether it decides', { ...criterion(), decides: undefined }, 'INVALID_PLUGIN'],
    ['an unknown aggregate', { ...criterion(), aggregate: 'part' }, 'INVALID_PLUGIN'],
    [
      'an upper end that is no number',
      { ...criterion(), range: { min: 0, max: '1', better: 'higher' } },
      'INVALID_PLUGIN',
    ],
    [
      'a schema that cannot validate',
      { ...criterion(), options: { jsonSchema: {}, '~standard': {} } },
      'INVALID_PLUGIN',
    ],
    [
      'no way to make a model',
      { ...criterion(), kind: 'model-provider', specVersion: 1, accepts: () => true },
      'INVALID_PLUGIN',
    ],
    ['no way to open a conversation', { ...criterion(), kind: 'user-simulator', specVersion: 1 }, 'INVALID_PLUGIN'],
    ['no options schema', { ...criterion(), options: undefined }, 'INVALID_PLUGIN'],
    [
      "an option of core's",
      criterion({
        options: optionsSchema(noOptions, { type: 'object', properties: { threshold: { type: 'number' } } }),
      }),
      'INVALID_PLUGIN',
    ],
  ];
  it.each(broken)('rejects a plugin with %s', (_what, plugin, code) => {
    expect(codeOf(() => createRegistry([plugin as Plugin]))).toBe(code);
  });
});

describe('the default registry', () => {
  it('is shared by all copies of core, even if each has its own registry object', () => {
    const one = criterion({ name: 'shared_by_copies' });
    registerPlugin(one);
    expect(defaultRegistry()).not.toBe(defaultRegistry());
    expect(defaultRegistry().get('criterion', 'shared_by_copies')).toBe(one);
    const slot = (globalThis as Record<symbol, unknown>)[Symbol.for('@agent-criteria/core/registry/v1')];
    expect(slot).toBeInstanceOf(Map);
  });
});
