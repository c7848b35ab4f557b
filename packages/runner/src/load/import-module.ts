import { spawn } from 'node:child_process';
import { extname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { createJiti, type Jiti } from 'jiti';

const TYPESCRIPT = new Set(['.ts', '.mts', '.cts', '.tsx']);
