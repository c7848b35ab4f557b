#!/usr/bin/env node
import process from 'node:process';
import { runConformance } from './run-conformance.ts';

process.exitCode = await runConformance(process.argv.slice(2), (text) => void process.stdout.write(text));
