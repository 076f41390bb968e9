"""How every model of the settings behaves."""

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """Cannot be changed once read, and knows every key it accepts."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)
