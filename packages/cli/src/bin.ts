#!/usr/bin/env node
import { main } from './main.ts';
import { pinExitCode } from './pin-exit-code.ts';

await main(pinExitCode());
