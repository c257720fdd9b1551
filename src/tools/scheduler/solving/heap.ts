/** A binary heap of numbered items. The least key comes first and, among equals, the lowest number. */
export interface Heap {
  push(item: number, key: number): void;
  /** Returns the least key, infinite if the heap is empty. */
  leastKey(): number;
  pop(): number;
}

export function createHeap(): Heap {
  const items: number[] = [];
  const keys: number[] = [];

  function precedes(left: number, right: number): boolean {
    const difference = (keys[left] as number) - (keys[right] as number);
    return difference < 0 || (difference === 0 && (items[left] as number) < (items[right] as number));
  }

  function swap(left: number, right: number): void {
    [items[left], items[right]] = [items[right] as number, items[left] as number];
    [keys[left], keys[right]] = [keys[right] as number, keys[left] as number];
  }

  return {
    push(item, key) {
      let at = items.push(item) - 1;
      keys.push(key);
      for (let parent = (at - 1) >> 1; at > 0 && precedes(at, parent); parent = (at - 1) >> 1) {
        swap(at, parent);
        at = parent;
      }
    },
    leastKey: () => keys[0] ?? Number.POSITIVE_INFINITY,
    pop() {
      swap(0, items.length - 1);
      keys.pop();
      const least = items.pop() as number;
      for (let at = 0; ; ) {
        let child = 2 * at + 1;
        if (child >= items.length) return least;
        if (child + 1 < items.length && precedes(child + 1, child)) child++;
        if (!precedes(child, at)) return least;
        swap(child, at);
        at = child;
      }
    },
  };
}
