#!/usr/bin/env node
import '@agent-criteria/cli/bin';
