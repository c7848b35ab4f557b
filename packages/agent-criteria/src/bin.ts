#!/usr/bin/env node
import { main } from '@agent-criteria/cli';

await main();
