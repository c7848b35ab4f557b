import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EvalCase } from '@agent-criteria/core';
import { writeEvalSet } from '@agent-criteria/formats/parse';
import { loadEvalSet } from '@agent-criteria/project/files';
import type { CaseText, CaseVersion } from '@agent-criteria/studio/api';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { arbitraryEvalSet } from '../packages/formats/src/__fixtures__/arbitrary-model.ts';
import { echoAgent, studioOf } from '../packages/studio/src/__fixtures__/running-studio.ts';
import { runs } from './runs.ts';

const CASES = '/api/apps/echo/sets/home/cases';

it('every file that the studio saves loads unchanged, including unknown keys', async () => {
  const studio = await studioOf({
    'echo/agent.mjs': echoAgent,
    'echo/home.evalset.json': { eval_set_id: 'home', eval_cases: [] },
  });
  const file = join(studio.folder, 'echo/home.evalset.json');
  const asJson = (value: unknown) => JSON.parse(JSON.stringify(value));
  await fc.assert(
    fc.asyncProperty(arbitraryEvalSet(), fc.string({ maxLength: 12 }), async (set, text) => {
      const cases = (set.evalCases as EvalCase[]).map((one, index) => ({ ...one, evalId: `c${index}` }));
      fc.pre(cases.length > 0);
      const meant = asJson({ ...set, evalCases: cases });
      writeFileSync(file, JSON.stringify(writeEvalSet(meant)));
      for (const [index, { evalId }] of cases.entries()) {
        const path = `${CASES}/${evalId}`;
        const { evalCase, version } = (await studio.json('GET', path)).body as CaseVersion;
        expect(evalCase).toEqual(meant.evalCases[index]);
        // Saves the editor's text with one change.
        const written = (await studio.json('POST', '/api/cases/write', evalCase)).body as CaseText;
        const read = (await studio.json('POST', '/api/cases/read', { text: written.text })).body as CaseText;
        expect(read.evalCase).toEqual(evalCase);
        const changed = { ...read.evalCase, mine: { said: text } };
        const init = { method: 'PUT', headers: { 'if-match': version }, body: JSON.stringify(changed) };
        expect((await studio.ask(path, init)).status).toBe(200);
        meant.evalCases[index] = changed;
      }
      expect((await loadEvalSet(file)).value).toEqual(meant);
      // Saving again leaves every byte unchanged.
      const before = readFileSync(file, 'utf8');
      const again = (await studio.json('GET', `${CASES}/c0`)).body as CaseVersion;
      const init = { method: 'PUT', headers: { 'if-match': again.version }, body: JSON.stringify(again.evalCase) };
      expect((await studio.ask(`${CASES}/c0`, init)).status).toBe(200);
      expect(readFileSync(file, 'utf8')).toBe(before);
    }),
    { numRuns: runs(100) },
  );
});
