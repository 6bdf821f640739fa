import { startCheckPanel } from "./check-panel.ts";
import { element } from "./element.ts";
import { runSurvey } from "./survey-panel.ts";

const run = element("run", HTMLButtonElement);

async function measure(): Promise<void> {
  run.disabled = true;
  try {
    await runSurvey();
  } catch (error) {
    element("status", HTMLOutputElement).textContent = `The survey failed: ${String(error)}`;
  } finally {
    run.disabled = false;
  }
}

run.addEventListener("click", () => void measure());
void startCheckPanel();
void measure();
