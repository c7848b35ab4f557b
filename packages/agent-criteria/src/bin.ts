#!/usr/bin/env node
import { main, pinExitCode } from '@agent-criteria/cli';

await main(pinExitCode());
