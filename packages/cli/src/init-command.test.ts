import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_CRITERIA } from '@agent-criteria/core/host';
import { parseEvalConfig } from '@agent-criteria/formats/parse';
import { planInit, presets } from '@agent-criteria/project/init';
import { knownCriteria } from '@agent-criteria/runner';
import { describe, expect, it } from 'vitest';
import { capture } from './__fixtures__/captured-io.ts';
import { folderOf } from './__fixtures__/folder.ts';

const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));
const FILES = ['.gitignore', 'README.md', 'agent.ts', 'package.json', 'test_config.json', 'workshop.evalset.json'];

describe('agent-criteria init', () => {
  it('creates a project that passes, and that fails once the suggested mistake is made', async () => {
    const folder = join(folderOf({}), 'My Desk');
    const { mistake } = await planInit({ folder, commandVersion: '1.0.0' });
    if (mistake === null) throw new Error('it suggests none');
    const { code, out, err } = await capture(['init', folder]);
    expect(code).toBe(0);
    expect(err).toBe('');
    expect(readdirSync(folder).sort()).toEqual(FILES);
    expect(out).toContain(
      `Next:\n  cd ${folder}\n  npm install\n  npx agent-criteria eval .\n  npx agent-criteria studio .\n`,
    );
    expect(read(folder, 'package.json')).toMatchObject({ name: 'my-desk', scripts: { eval: 'agent-criteria eval .' } });

    const evaluated = await capture(['eval', folder, join(folder, 'workshop.evalset.json')]);
    expect(evaluated.out).toContain('3 passed of 3 cases');
    expect(evaluated.code).toBe(0);

    expect(out).toContain(`change "${mistake.from}" to "${mistake.to}" in ${mistake.file}`);
    const source = readFileSync(join(folder, mistake.file), 'utf8');
    expect(source.split(mistake.from)).toHaveLength(2);
    const broken = join(folder, 'broken');
    await capture(['init', broken]);
    writeFileSync(join(broken, mistake.file), source.replace(mistake.from, mistake.to));
    const again = await capture(['eval', broken, join(broken, 'workshop.evalset.json')]);
    expect(again.out).toContain('2 passed, 1 failed of 3 cases');
    expect(again.code).toBe(1);
  });

  it('never overwrites a file in the folder', async () => {
    const folder = folderOf({
      'package.json': '{"name":"mine"}',
      'README.md': 'mine',
      '.git/config': '',
      'node_modules/x': '',
    });
    const { code, out } = await capture(['init', folder]);
    expect(code).toBe(0);
    expect(out).toContain('Not changed: package.json, README.md\n');
    expect(out).toContain(
      '\n  npm install --save-dev @agent-criteria/cli @agent-criteria/studio\n  npx agent-criteria eval .\n',
    );
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{"name":"mine"}');
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe('mine');
    expect(existsSync(join(folder, 'agent.ts'))).toBe(true);
  });

  it('writes nothing into a folder with code, except a missing config if a preset is named', async () => {
    const folder = folderOf({ 'src/agent.ts': '', 'package.json': '{}' });
    const refused = await capture(['init', folder]);
    expect(refused.code).toBe(2);
    expect(refused.err).toContain('the folder is not empty (it has src)');
    expect(readdirSync(folder).sort()).toEqual(['package.json', 'src']);

    const { code, out } = await capture(['init', folder, '--preset', 'ci']);
    expect(out).toContain('it scores the eval sets next to it with tool_trajectory_avg_score and response_match_score');
    expect(code).toBe(0);
    expect(readdirSync(folder).sort()).toEqual(['package.json', 'src', 'test_config.json']);

    writeFileSync(join(folder, 'test_config.json'), 'mine');
    const again = await capture(['init', folder, '--preset', 'quality']);
    expect(again.err).toContain('test_config.json: this file already exists');
    expect(again.code).toBe(2);
    expect(readFileSync(join(folder, 'test_config.json'), 'utf8')).toBe('mine');
  });

  it('writes evals beside the code of the AI SDK, and names the agent that they call', async () => {
    const manifest = { dependencies: { ai: '6' } };
    const code = `import { ToolLoopAgent } from 'ai';\nexport const desk = new ToolLoopAgent({});\n`;
    const found = await capture(['init', folderOf({ 'package.json': manifest, 'src/desk.ts': code })]);
    expect(found.out).toContain(': evals/agent.ts, evals/first.evalset.json, evals/test_config.json\n');
    expect(found.out).toContain('\n  npx agent-criteria eval evals\n  npx agent-criteria studio evals\n');
    expect(found.out).toContain('\nevals/agent.ts exports the agent of src/desk.ts (desk). It asks its own model');
    const none = await capture(['init', folderOf({ 'package.json': manifest, 'src/route.ts': '' })]);
    expect(none.out).toContain('No agent was found in the code, so evals/agent.ts is an example');
    expect(none.out).toContain('in evals/agent.ts, and run it again.');
    expect(found.out).not.toContain('To see one fail');
  });

  it.each(presets.map(({ name }) => [name]))('writes a valid config for the preset %s', async (name) => {
    const folder = join(folderOf({}), 'new');
    const { code } = await capture(['init', folder, '--preset', name]);
    expect(code).toBe(0);
    const { criteria = {} } = parseEvalConfig(read(folder, 'test_config.json')).value;
    for (const criterion of Object.keys(criteria))
      expect(knownCriteria.map((known) => known.name)).toContain(criterion);
    const needed = knownCriteria.filter((known) => Object.hasOwn(criteria, known.name));
    const own = new Set(
      needed.map((known) => known.package).filter((one) => !/criteria-(rouge|trajectory)$/.test(one)),
    );
    const packages = Object.keys(read(folder, 'package.json').devDependencies);
    const asks = [...own].some((one) => /(llm-judge|hallucination|user-simulator)$/.test(one));
    const always = ['@agent-criteria/cli', '@agent-criteria/studio'];
    expect(packages).toEqual([...always, ...own, ...(asks ? ['@agent-criteria/model-gemini'] : [])]);
    expect(readFileSync(join(folder, 'README.md'), 'utf8').includes("judgeModel: 'ollama/qwen3'")).toBe(asks);
  });

  it("uses ADK's preset by default, and prints the requirements of the other presets", async () => {
    expect(presets[0]).toMatchObject({ name: 'ci', criteria: DEFAULT_CRITERIA });
    const folder = folderOf({ 'package.json': '{}' });
    const { out } = await capture(['init', folder, '--preset', 'public-facing']);
    expect(out).toContain('gemini-2.5-flash, with GEMINI_API_KEY in .env, by default.\n');
    expect(out).toContain('agent-criteria doctor . to see what is missing');
  });

  it.each([
    [['--preset', 'qualty'], 'did you mean "quality"?'],
    [['a', 'b'], '"b" is an unexpected argument'],
    [['DIR/file'], 'cannot look into this folder'],
  ])('rejects %j', async (args, told) => {
    const folder = folderOf({ file: '' });
    const { code, err } = await capture(['init', ...args.map((arg) => arg.replace('DIR', folder))]);
    expect(err).toContain(told);
    expect(code).toBe(2);
  });
});
