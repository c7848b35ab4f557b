#!/usr/bin/env node
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { createCriterion } from './create-criterion.ts';

const usage = `Usage: npm create @agent-criteria/criterion NAME

Creates the folder NAME with your own criterion package: a small criterion that works, its
conformance test and its README. NAME is a package name, such as criteria-tone or @me/criteria-tone.`;

function refuse(problem: string): void {
  console.error(problem);
  process.exitCode = 2;
}

function readArguments() {
  try {
    return parseArgs({ allowPositionals: true, options: { help: { type: 'boolean', short: 'h' } } });
  } catch (error) {
    return (error as Error).message;
  }
}

const found = readArguments();
if (typeof found === 'string') refuse(`${found}\n\n${usage}`);
else if (found.values.help) console.log(usage);
else if (found.positionals.length !== 1) refuse(usage);
else {
  const created = await createCriterion({ name: found.positionals[0] ?? '', into: process.cwd() });
  if ('problem' in created) refuse(created.problem);
  else {
    const folder = relative(process.cwd(), created.folder);
    console.log(`Created ${folder} with the criterion ${created.criterion}. Next:

  cd ${folder}
  npm install
  npm test`);
  }
}
