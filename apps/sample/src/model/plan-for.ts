/** A plan in the form that the researcher asks for. */
export function planFor(text: string): { questions: string[] } {
  const topic = text.replace(/^.*?:\s*/, "").replace(/[?.!\s]+$/, "") || "nothing in particular";
  return {
    questions: [`What is ${topic}?`, `Why does ${topic} matter?`, `What do people get wrong about ${topic}?`],
  };
}
