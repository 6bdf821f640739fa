import { element } from "./element.ts";

const EXAMPLE = { role: "user", content: [{ text: "hello" }, { toolRequest: { name: 7 } }] };

/** Lets people pick a contract, read its JSON Schema and check a value against it. */
export async function startCheckPanel(): Promise<void> {
  const contracts = (await (await fetch("contracts")).json()) as Record<string, unknown>;
  const select = element("contract", HTMLSelectElement);
  const value = element("value", HTMLTextAreaElement);
  select.replaceChildren(...Object.keys(contracts).map((name) => new Option(name)));
  select.value = "Message";
  value.value = JSON.stringify(EXAMPLE, undefined, 2);

  const show = () => {
    element("schema", HTMLPreElement).textContent = JSON.stringify(contracts[select.value], undefined, 2);
    check(select.value, value.value).then(showVerdict, (error: unknown) =>
      showVerdict({ ok: false, text: String(error) }),
    );
  };
  select.addEventListener("change", show);
  value.addEventListener("input", show);
  show();
}

interface Verdict {
  ok: boolean;
  text: string;
}

async function check(contract: string, text: string): Promise<Verdict> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, text: `Not JSON: ${(error as Error).message}` };
  }
  const response = await fetch("check", { method: "POST", body: JSON.stringify({ contract, value }) });
  if (response.ok) return { ok: true, text: `Fits ${contract}.` };
  const { status, message } = (await response.json()) as { status: string; message: string };
  return { ok: false, text: `${status}: ${message}` };
}

function showVerdict({ ok, text }: Verdict): void {
  const verdict = element("verdict", HTMLParagraphElement);
  verdict.dataset["ok"] = String(ok);
  verdict.textContent = text;
}
