import fc from "fast-check";
import { expect, it } from "vitest";
import { Fifo } from "./fifo.ts";

it("behaves as an array that is pushed to and shifted from", () => {
  const steps = fc.array(fc.constantFrom("push", "push", "shift", "clear" as const), { maxLength: 60 });
  fc.assert(
    fc.property(steps, fc.constantFrom(0, 300, 700), (operations, before) => {
      const fifo = new Fifo<number>();
      let model: number[] = [];
      const apply = {
        push: (n: number) => {
          fifo.push(n);
          model.push(n);
        },
        shift: () => expect(fifo.shift()).toBe(model.shift()),
        clear: () => {
          fifo.clear();
          model = [];
        },
      };
      for (let n = 0; n < before; n++) apply.push(n);
      for (let n = 0; n < before - 20; n++) apply.shift();
      for (const [n, operation] of operations.entries()) {
        apply[operation](n);
        expect(fifo.size).toBe(model.length);
        expect(fifo.peek()).toBe(model[0]);
      }
    }),
    { numRuns: 50 },
  );
});
