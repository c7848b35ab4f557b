import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeWhole } from '@agent-criteria/project/files';
import { safe } from '@agent-criteria/report/terminal';
import type { Io } from './io.ts';

const SKILL = 'skills/agent-criteria/SKILL.md';

/** Writes the skill for coding agents into a project. A file that is there already is left alone. */
export async function installSkill(folder: string, io: Io): Promise<number> {
  const text = readFileSync(new URL(`../${SKILL}`, import.meta.url), 'utf8');
  const places = ['.agents', ...(existsSync(join(folder, '.claude')) ? ['.claude'] : [])];
  for (const place of places) {
    const file = join(folder, place, SKILL);
    if (!existsSync(file)) {
      await writeWhole(file, text, null);
      io.out(`Created ${safe(file)}\n`);
    } else if (readFileSync(file, 'utf8') === text) io.out(`Up to date: ${safe(file)}\n`);
    else
      io.out(
        `Not changed: ${safe(file)}, which differs from the skill of this version. To get that, delete it first.\n`,
      );
  }
  return 0;
}
