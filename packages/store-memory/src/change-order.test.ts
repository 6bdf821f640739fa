import fc from "fast-check";
import { expect, it } from "vitest";
import { ChangeOrder, type Slot } from "./change-order.ts";

it("agrees with a plain list, after any touches and removals", () => {
  const step = fc.tuple(fc.boolean(), fc.nat({ max: 9 }));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const order = new ChangeOrder<{ n: number }>();
      const items = Array.from({ length: 10 }, (_, n) => ({ n }));
      const slots = new Map<number, Slot<{ n: number }>>();
      let list: number[] = [];
      for (const [touch, n] of steps) {
        const item = items[n] ?? { n };
        list = list.filter((other) => other !== n);
        if (touch) {
          list.push(n);
          slots.set(n, order.touch(item, slots.get(n)));
        } else {
          order.remove(slots.get(n));
        }
        expect(order.oldest()?.n).toBe(list[0]);
        expect(order.size).toBe(list.length);
      }
      const all = [...order.before()];
      expect(all.map(({ row }) => row.n)).toEqual(list.toReversed());
      for (const [index, { position }] of all.entries()) {
        expect([...order.before(position)].map(({ row }) => row.n)).toEqual(list.toReversed().slice(index + 1));
      }
    }),
  );
});
