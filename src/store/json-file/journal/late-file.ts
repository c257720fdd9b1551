import { type OpenOutputFile, openOutputFile } from "./output-file.ts";

/**
 * Opens a file that buffers writes until it is closed and reports them as synced before. For data that can be recreated
 * if it is lost.
 */
export const openLateFile: OpenOutputFile = async (path) => {
  const file = await openOutputFile(path);
  let held: Uint8Array[] = [];
  let start = 0;
  let end = 0;

  async function flush(): Promise<void> {
    const bytes = Buffer.concat(held);
    held = [];
    await file.write(bytes, start);
  }

  return {
    async write(bytes, position) {
      if (position !== end) await flush();
      if (held.length === 0) start = position;
      held.push(bytes);
      end = position + bytes.length;
    },
    async sync() {},
    async truncate(length) {
      await flush();
      await file.truncate(length);
    },
    isInPlace: (length) => file.isInPlace(held.length > 0 ? start : length),
    async close() {
      await flush();
      await file.sync();
      await file.close();
    },
  };
};
