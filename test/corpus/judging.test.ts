import { replays } from './replay.ts';

replays('judging');
