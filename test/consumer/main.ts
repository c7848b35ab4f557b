import { evaluation } from './evaluation.js';

console.log(JSON.stringify(await evaluation()));
