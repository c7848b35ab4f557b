import { settingsOfFlags } from '@agent-criteria/project/config';
import { runPower } from '@agent-criteria/project/runs';
import { consolePower } from '@agent-criteria/report/console';
import type { Given } from './commands.ts';
import type { Io } from './io.ts';
import { minEffectOf } from './min-effect.ts';
import { printJson } from './print-json.ts';
import { openProject } from './project.ts';

/** `agent-criteria power [RUN]`: which fall of the pass rate a comparison would find, by cases and repeats, and what that costs. */
export async function powerCommand({ flags, positionals }: Given<'power'>, io: Io): Promise<number> {
  const minEffect = minEffectOf(flags.min_effect);
  const project = await openProject(undefined, settingsOfFlags(flags), io);
  const found = await runPower(positionals[0], project, minEffect);
  if (flags.json === true) printJson({ run: found.name, ...found.power, each: found.each }, io);
  else io.out(consolePower(found.power, found.each, found.name, { color: io.color, width: io.width.out }));
  return 0;
}
