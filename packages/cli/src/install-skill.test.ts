import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { knownCriteria } from '@agent-criteria/runner';
import { expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';
import { builtInCriteria } from './built-in-criteria.ts';
import { commandFlags } from './command-flags.ts';

const source = readFileSync(new URL('../../../skills/agent-criteria/SKILL.md', import.meta.url), 'utf8');

it('init --skill writes the skill for coding agents, and changes no file that is there', async () => {
  const folder = folderOf({ 'index.ts': '', '.claude/settings.json': {} });
  const files = ['.agents', '.claude'].map((place) => join(folder, place, 'skills/agent-criteria/SKILL.md'));
  const { code, out } = await capture(['init', folder, '--skill']);
  expect(code).toBe(0);
  expect(out.split('\n').filter((line) => line.startsWith('Created'))).toHaveLength(2);
  for (const file of files) expect(readFileSync(file, 'utf8')).toBe(source);
  expect(existsSync(join(folder, 'test_config.json'))).toBe(false);

  writeFileSync(files[1] ?? '', 'mine');
  const again = await capture(['init', folder, '--skill']);
  expect(again.out).toContain('Up to date');
  expect(again.out).toContain('Not changed');
  expect(readFileSync(files[1] ?? '', 'utf8')).toBe('mine');
  expect(await capture(['init', folder, '--skill', '--preset', 'ci'])).toMatchObject({ code: 2 });
});

it('the skill has the form of agent skills, and names only commands and criteria that exist', () => {
  const [, head = '', body = ''] = /^---\n([\s\S]*?)\n---\n([\s\S]*)$/.exec(source) ?? [];
  expect(head).toMatch(/^name: agent-criteria$/m);
  expect(/^description: (.+)$/m.exec(head)?.[1]?.length).toBeLessThanOrEqual(1024);
  expect(body.split('\n').length).toBeLessThan(500);
  const commands = [...body.matchAll(/agent-criteria ([a-z]+)[^a-z]/g)].map(([, name]) => name);
  expect(commands.length).toBeGreaterThan(5);
  for (const name of commands) expect(Object.keys(commandFlags)).toContain(name);
  const known = [...builtInCriteria, ...knownCriteria].map(({ name }) => name);
  const named = [...body.matchAll(/^\|[^|]+\| `(\w+)`/gm)].map(([, name]) => name);
  expect(named).toHaveLength(6);
  for (const name of named) expect(known).toContain(name);
});
