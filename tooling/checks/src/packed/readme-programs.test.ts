import { expect, it } from "vitest";
import { readmePrograms } from "./readme-programs.ts";

const README = `# title

\`\`\`sh
npm start
\`\`\`

\`\`\`ts run
// says hello
console.log("a");
// prints: a
if (true) {
  console.log("b");
  // prints: b
}
\`\`\`

\`\`\`ts
not run
\`\`\`
`;

it("takes the blocks that are marked to run, with what they print and where they stand", () => {
  expect(readmePrograms("README.md", README)).toEqual([
    { place: "README.md:7", text: expect.stringMatching(/^\/\/ says hello\nconsole\.log/), prints: ["a", "b"] },
  ]);
});
