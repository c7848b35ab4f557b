import { replays } from './replay.ts';

replays('reading');
