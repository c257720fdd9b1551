import { type OpenSubject, subjects } from "./subjects.ts";

/** A process that opens a directory, waits until its memory has settled, and reports time and memory to its parent. */
const [name, directory] = process.argv.slice(2) as [keyof typeof subjects, string];
const open: OpenSubject = subjects[name];
const before = process.memoryUsage().rss;
const begin = performance.now();
const subject = await open(directory);
const openMs = performance.now() - begin;
await new Promise((resolve) => setTimeout(resolve, 3000));
process.send?.({ openMs, rssMb: process.memoryUsage().rss / 1e6, bareMb: before / 1e6 });
await subject.close();
