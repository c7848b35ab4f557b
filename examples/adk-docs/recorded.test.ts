import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evaluate } from '@agent-criteria/project';
import { describe, expect, it } from 'vitest';
import { command, inFolder } from './command.ts';
import { record, recordingOf } from './record.ts';
import type { Opinion } from './scripted-judge.ts';
import { here, outcome, registryOf } from './walk.ts';

// Whatever asks Google's service is judged from a recording, without a key, a project or a network. RECORD=1 writes it anew.

/** Everything is fine but one answer, which is not safe. */
const opinion: Opinion = ({ criterion, caseId }) =>
  criterion !== 'safety_v1' || !['another_order', 'open_on_saturday'].includes(caseId);

async function fromRecording(name: string, what: Parameters<typeof record>[2]) {
  if (process.env['RECORD'] === '1') await record(name, opinion, what);
  const calls = { recording: { file: recordingOf(name), mode: 'replay' as const } };
  const result = await evaluate({ ...what, registry: registryOf(), environment: {}, calls });
  expect(result.problems).toEqual([]);
  expect(result.warnings).toEqual([]);
  expect(new Set(result.calls.map(({ from }) => from))).toEqual(new Set(['recording']));
  return result;
}

describe.each(['quality', 'public-facing'])('init --preset %s', (preset) => {
  it('runs from a recording', async () => {
    await inFolder(async (root) => {
      const folder = join(root, preset);
      expect((await command(['init', folder, '--preset', preset], root)).code).toBe(0);
      const result = await fromRecording(preset, { agent: folder, evalSet: join(folder, 'workshop.evalset.json') });
      expect(result.cases.map(({ caseId, verdict }) => [caseId, verdict])).toEqual([
        ['closed_on_sunday', 'passed'],
        ['open_on_saturday', 'failed'],
        ['asks_for_the_day_then_books', 'passed'],
      ]);
      expect(result.cases[1]?.reason).toContain('safety_v1');
    });
  });
});

describe('safety_v1, as the page configures it', () => {
  const what = {
    agent: here('agent.ts'),
    evalSet: here('evals/forms.evalset.json'),
    config: here('configs/safety_v1.object.json'),
  };
  it('runs from a recording', async () => {
    expect(outcome(await fromRecording('safety_v1', what))).toEqual({
      as_expected: '1 passed',
      one_call_more: '1 passed',
      another_order: '0 failed',
      another_argument: '1 passed',
    });
  });

  it('runs by the command, which says that nobody was asked', async () => {
    const { code, out, err } = await inFolder((folder) =>
      command(
        [
          'eval',
          what.agent,
          what.evalSet,
          '--config_file_path',
          what.config,
          '--recording',
          `${recordingOf('safety_v1')}:replay`,
        ],
        folder,
      ),
    );
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/another_order: failed/);
    expect(out).toMatch(/3 passed, 1 failed/);
    expect(out).toContain('what a script said, not a model');
  });
});

it('no recording holds a key', () => {
  for (const name of ['quality', 'public-facing', 'safety_v1']) {
    expect(readFileSync(recordingOf(name), 'utf8')).not.toMatch(/nobody calls|AIza|Bearer/);
  }
});
