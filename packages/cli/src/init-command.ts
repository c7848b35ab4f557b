import { basename, join, resolve } from 'node:path';
import { DEFAULT_JUDGE_MODEL } from '@agent-criteria/core/host';
import { type InitPlan, type InitResult, initProject, planInit, presets } from '@agent-criteria/project/init';
import { safe } from '@agent-criteria/report/terminal';
import { installLine } from '@agent-criteria/runner';
import manifest from '../package.json' with { type: 'json' };
import { usage } from './arguments.ts';
import type { Given } from './command-flags.ts';
import { oneOf } from './flag-values.ts';
import { installSkill } from './install-skill.ts';
import type { Io } from './io.ts';

/** Creates the files for a first run. Existing files are left alone. */
export async function initCommand({ flags, positionals }: Given<'init'>, io: Io): Promise<number> {
  if (flags.skill === true) {
    if (flags.preset !== undefined) throw usage('--skill writes no config: leave out --preset, or call init twice');
    return installSkill(positionals[0] ?? '.', io);
  }
  const names = presets.map(({ name }) => name);
  const preset = oneOf('preset', flags.preset, names);
  const plan = await planInit({ folder: positionals[0], preset, commandVersion: manifest.version });
  const result = await initProject(plan);
  if (plan.kind === 'config') printConfig(plan, result, io);
  else printProject(plan, result, io);
  return 0;
}

function printProject(plan: InitPlan, { written, kept, missing }: InitResult, io: Io): void {
  const { folder, mistake, target, agentModule } = plan;
  io.out(`Created in ${safe(folder === '.' ? basename(resolve(folder)) : folder)}: ${written.join(', ')}\n`);
  if (kept.length > 0) io.out(`Not changed: ${kept.join(', ')}\n`);
  const steps = [
    ...(folder === '.' ? [] : [`cd ${folder}`]),
    // If we wrote the package.json, it already lists all of them.
    ...(missing.length === 0
      ? []
      : [written.includes('package.json') ? 'npm install' : installLine(missing.join(' '))]),
    `npx agent-criteria eval ${target}`,
    // The studio runs until Ctrl-C, so it comes last.
    `npx agent-criteria studio ${target}`,
  ];
  io.out(`\nNext:\n${steps.map((step) => `  ${safe(step)}\n`).join('')}`);
  if (plan.kind === 'evals' && agentModule === null) {
    io.out(`\nNo agent was found in the code, so ${plan.files[0]?.path} is an example: replace it with your own.\n`);
  }
  if (agentModule !== null) io.out(`\n${ofOwnAgent(plan, agentModule)}`);
  if (plan.asks !== null) io.out(`\n${whoJudges(plan)}`);
  else if (mistake !== null) {
    const { file, from, to } = mistake;
    io.out(`\nAll cases pass. To see one fail, change "${from}" to "${to}" in ${file}, and run it again.\n`);
  }
}

function ofOwnAgent({ files, target }: InitPlan, { path, name }: NonNullable<InitPlan['agentModule']>): string {
  const [module] = files;
  return `${module?.path} exports the agent of ${safe(path)} (${safe(name)}). It asks its own model: set its key in the environment or in .env.
The first case only wants an answer. Talk to the agent in the studio, and turn good conversations into cases of ${target}.
`;
}

function printConfig(plan: InitPlan, { written, missing }: InitResult, io: Io): void {
  const { folder, preset, leftOut } = plan;
  for (const path of written) {
    const names = Object.keys(preset.criteria).join(' and ');
    io.out(`Created ${safe(join(folder, path))}: it scores the eval sets next to it with ${names}.\n`);
  }
  for (const { criterion, setId } of leftOut) {
    io.out(
      `Left out: ${criterion}, which applies to no case of ${safe(setId)}. Put sets of one kind in a folder with their own config.\n`,
    );
  }
  if (missing.length > 0) io.out(`\nNext:\n  ${installLine(missing.join(' '))}\n`);
  if (plan.asks !== null) io.out(`\n${whoJudges(plan)}`);
}

function whoJudges({ asks, preset }: InitPlan): string {
  const doctor = 'Run agent-criteria doctor . to see what is missing.\n';
  if (asks === 'service') return `Some of these criteria ask a paid service: ${doctor}`;
  const user = preset.simulatedUsers === true ? ', and so does the simulated user (user_simulator_config.model)' : '';
  return `Some of these criteria ask a model${user}: ${DEFAULT_JUDGE_MODEL}, with GEMINI_API_KEY in .env, by default.
To use another judge, such as ollama/qwen3, set --judge-model, or "judgeModel" in agent-criteria.config.ts.
To estimate what judging takes: agent-criteria eval . --dry-run. ${doctor}`;
}
