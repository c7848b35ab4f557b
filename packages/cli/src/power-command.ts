import { settingsOfFlags } from '@agent-criteria/project/config';
import { runPower } from '@agent-criteria/project/runs';
import { consolePower } from '@agent-criteria/report/console';
import type { Given } from './command-flags.ts';
import { minEffectOf } from './flag-values.ts';
import type { Io } from './io.ts';
import { printResult } from './print.ts';
import { openProject } from './project.ts';

/** Shows which drop in the pass rate a comparison would detect, by cases and repeats, and what that costs. */
export async function powerCommand({ flags, positionals }: Given<'power'>, io: Io): Promise<number> {
  const minEffect = minEffectOf(flags.min_effect);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const found = await runPower(positionals[0], project, minEffect);
  printResult(
    flags.json,
    { run: found.name, ...found.power, each: found.each },
    () => consolePower(found.power, found.each, found.name, { color: io.color, width: io.width.out }),
    io,
  );
  return 0;
}
