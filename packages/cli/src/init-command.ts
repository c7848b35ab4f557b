import { basename, join, resolve } from 'node:path';
import { DEFAULT_JUDGE_MODEL } from '@agent-criteria/core/host';
import { type InitPlan, type InitResult, initProject, planInit, presets } from '@agent-criteria/project';
import { safe } from '@agent-criteria/report/terminal';
import { installLine } from '@agent-criteria/runner';
import manifest from '../package.json' with { type: 'json' };
import { atMost, oneOf, parseFlags } from './arguments.ts';
import { commandFlags } from './command-flags.ts';
import type { Io } from './io.ts';

/** `agent-criteria init [FOLDER]`: what a first run needs, and nothing that is there already is touched. */
export async function initCommand(args: readonly string[], io: Io): Promise<number> {
  const { flags, positionals } = parseFlags(args, commandFlags.init);
  atMost(1, positionals, 'agent-criteria init [FOLDER]');
  const names = presets.map(({ name }) => name);
  const preset = oneOf('preset', flags.preset, names);
  const plan = await planInit({ folder: positionals[0], preset, commandVersion: manifest.version });
  const result = await initProject(plan);
  if (plan.kind === 'project') tellProject(plan, result, io);
  else tellConfig(plan, result, io);
  return 0;
}

function tellProject(plan: InitPlan, { written, kept, missing }: InitResult, io: Io): void {
  const { folder, mistake } = plan;
  io.out(`Made in ${safe(folder === '.' ? basename(resolve(folder)) : folder)}: ${written.join(', ')}\n`);
  if (kept.length > 0) io.out(`Left as they were: ${kept.join(', ')}\n`);
  const steps = [
    ...(folder === '.' ? [] : [`cd ${folder}`]),
    // Where package.json is ours it names them all.
    ...(missing.length === 0 ? [] : [kept.includes('package.json') ? installLine(missing.join(' ')) : 'npm install']),
    'npx agent-criteria eval .',
  ];
  io.out(`\nNext:\n${steps.map((step) => `  ${safe(step)}\n`).join('')}`);
  if (plan.asks !== null) io.out(`\n${whoJudges(plan)}`);
  else if (mistake !== null) {
    const { file, from, to } = mistake;
    io.out(`\nAll cases pass. To see one fail, change "${from}" to "${to}" in ${file}, and run it again.\n`);
  }
}

function tellConfig(plan: InitPlan, { written, missing }: InitResult, io: Io): void {
  const { folder, preset, leftOut } = plan;
  for (const path of written) {
    const names = Object.keys(preset.criteria).join(' and ');
    io.out(`Made ${safe(join(folder, path))}: it judges the eval sets beside it by ${names}.\n`);
  }
  for (const { criterion, setId } of leftOut) {
    io.out(
      `Left out: ${criterion}, which applies to no case of ${safe(setId)}. Sets of one kind go into a folder with a config of their own.\n`,
    );
  }
  if (missing.length > 0) io.out(`\nNext:\n  ${installLine(missing.join(' '))}\n`);
  if (plan.asks !== null) io.out(`\n${whoJudges(plan)}`);
}

function whoJudges({ asks, preset }: InitPlan): string {
  const doctor = 'agent-criteria doctor . tells what is missing for that.\n';
  if (asks === 'service') return `Some of these criteria ask a paid service: ${doctor}`;
  const user = preset.simulatedUsers === true ? ', and so does the simulated user (user_simulator_config.model)' : '';
  return `Some of these criteria ask a model${user}: ${DEFAULT_JUDGE_MODEL}, with GEMINI_API_KEY in .env, where nothing else is said.
Another judge, as ollama/qwen3, is named by --judge_model, or by "judgeModel" in agent-criteria.config.ts.
What judging would take: agent-criteria eval . --dry_run; ${doctor}`;
}
