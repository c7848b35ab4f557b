import { mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type CorpusEntry, isScript } from '../../test/corpus/command.ts';
import { mistakes } from '../../test/corpus/commands/mistakes.ts';
import { environmentOf, openPerformer, started } from '../../test/corpus/perform.ts';
import { root } from '../artefacts/pack.ts';
import { type Project, strangersEnvironment } from './project.ts';

/** Makes every mistake in the corpus with the installed command: output, effects and exit code must be the same. */
export async function mistakesByProcess(project: Project): Promise<string> {
  if (project.manager !== 'npm') return 'they are made with the command that npm installs';
  await project.install(['@agent-criteria/cli']);
  const apart = mistakes.filter(({ packages }) => packages === undefined);
  const needy = mistakes.filter(({ packages }) => packages !== undefined);
  const wrong = await wrongOnes(project, apart, 'without');
  const needed = new Set(needy.flatMap(({ packages = [] }) => packages));
  await project.install([...needed].map((name) => `@agent-criteria/${name}`));
  wrong.push(...(await wrongOnes(project, needy, 'with')));
  if (wrong.length > 0) throw new Error(wrong.join('\n'));
  return `the command says the same of ${mistakes.length} mistakes as when it was recorded`;
}

async function wrongOnes(project: Project, rows: readonly CorpusEntry[], name: string): Promise<string[]> {
  const place = join(realpathSync(project.folder), name);
  mkdirSync(place);
  const bin = join(project.folder, 'node_modules/.bin/agent-criteria');
  const { PATH = '' } = strangersEnvironment();
  const performer = openPerformer({
    place,
    start: (args, folder, given) =>
      started(isScript(args) ? args : [bin, ...args], folder, { ...environmentOf(folder, given), PATH }),
  });
  const wrong: string[] = [];
  try {
    const waiting = rows.values();
    const work = async () => {
      for (const row of waiting) {
        const now = withoutPackages(await performer.perform(row));
        const kept = readFileSync(join(root, 'test/corpus/snapshots/mistakes', `${row.name}.txt`), 'utf8');
        if (now !== withoutPackages(kept)) wrong.push(`${row.name} was\n${kept}\nand is\n${now}`);
      }
    };
    await Promise.all([work(), work()]);
  } finally {
    performer.end();
  }
  return wrong;
}

/** Removes the packages that `doctor` finds, which differ because none are installed in the corpus. */
function withoutPackages(text: string): string {
  return text.replaceAll(/^packages found\n(?: {2}.*\n)+/gm, 'packages found\n');
}
