import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { configSchema } from './config-schema.ts';

const file = new URL('../../schemas/agent-criteria.config.schema.json', import.meta.url);

describe('configSchema', () => {
  const accepts = (config: unknown) =>
    z.safeParse(z.fromJSONSchema(configSchema() as z.core.JSONSchema.JSONSchema), config).success;

  it('equals the published JSON Schema file', () => {
    expect(JSON.parse(readFileSync(file, 'utf8')), 'run: pnpm reference').toEqual(configSchema());
  });

  it('accepts valid JSON configs', () => {
    expect(accepts({})).toBe(true);
    expect(
      accepts({
        $schema: './node_modules/@agent-criteria/project/schemas/agent-criteria.config.schema.json',
        plugins: ['criteria-mine', './tone.ts'],
        models: { fast: 'ollama/qwen3' },
        judgeModel: 'fast',
        prices: { fast: { inputTokens: 0, outputTokens: 0.5 } },
        config: { criteria: { response_match_score: 0.7 } },
        compat: 'adk',
        concurrency: { agents: 2, calls: 1 },
        turnTimeout: 1000,
        maxCost: 0.5,
        cache: false,
        recording: { file: 'judge.jsonl', mode: 'replay' },
        runsFolder: 'runs',
      }),
    ).toBe(true);
  });

  it('accepts a recording as a string', () => {
    expect(accepts({ recording: 'judge.jsonl:replay' })).toBe(true);
  });

  it.each([
    { recording: '' },
    { recording: { fil: 'x' } },
    { judge: 'x' },
    { judgeModel: '' },
    { concurrency: { agents: 0 } },
    { concurrency: { agent: 1 } },
    { turnTimeout: 1.5 },
    { compat: 'python' },
    { cache: true },
    { prices: { fast: { inputTokens: -1 } } },
    { redact: 'yes' },
  ])('rejects %j', (config) => {
    expect(accepts(config)).toBe(false);
  });
});
